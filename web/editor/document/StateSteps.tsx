import { CheckOutlined } from '@ant-design/icons'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { stateName } from '#web/fields/StateTag.tsx'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { pathOf } from '#web/editor/document/state-path.ts'
import css from '#web/editor/Editor.module.css'

/** The document's state on its path, with who changed it and when. */
export function StateSteps({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
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
