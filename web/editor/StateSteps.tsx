import { CheckOutlined } from '@ant-design/icons'
import type { AnyDocument } from '#kernel/document.ts'
import { wallTime } from '#web/fields/instant.tsx'
import { stateName } from '#web/fields/StateTag.tsx'
import type { PaperInfo } from '#web/editor/paper.ts'
import { pathOf } from '#web/editor/state-path.ts'
import css from '#web/editor/Editor.module.css'

/** Where the paper stands on its way, who brought it there and when. */
export function StateSteps({ definition, info }: { definition: AnyDocument; info: PaperInfo }) {
  return (
    <ol className={css.steps} aria-label="单据进度">
      {pathOf(definition, info.state, info.history ?? []).map((step, at) => (
        <li
          key={step.state}
          className={css.step}
          data-reached={step.reached}
          aria-current={step.reached === 'now' ? 'step' : undefined}
        >
          <span className={css.dot} aria-hidden>
            {step.reached === 'done' ? <CheckOutlined /> : at + 1}
          </span>
          <span className={css.stepName}>{stateName(definition, step.state)}</span>
          {step.by !== '' && (
            <span className={css.stepWho}>
              {step.by} {wallTime(step.at).slice(5)}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
