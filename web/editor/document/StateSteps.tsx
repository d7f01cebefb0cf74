import { CheckOutlined } from '@ant-design/icons'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { closerTone, stateName } from '#web/fields/StateTag.tsx'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { pathOf } from '#web/editor/document/state-path.ts'
import css from '#web/editor/Editor.module.css'

/** The document's state on its path, with who changed it and when. */
export function StateSteps({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
  // The current step has the name that the badge shows: 异常, not 运输中.
  const isCloser = definition.lifecycle.stateField !== undefined && typeof info.state_name === 'string'
  const nameOf = ({ state, reached }: { state: string; reached: string }) =>
    isCloser && reached === 'now' ? String(info.state_name) : stateName(definition, state)
  return (
    <ol className={css.steps} aria-label="单据进度">
      {pathOf(definition, info.state, info.history ?? []).map((step, at) => (
        <li
          key={step.state}
          className={css.step}
          data-reached={step.reached}
          data-tone={step.reached === 'now' ? closerTone(definition, info) : undefined}
          aria-current={step.reached === 'now' ? 'step' : undefined}
        >
          <span className={css.dot} aria-hidden>
            {step.reached === 'done' ? <CheckOutlined /> : at + 1}
          </span>
          <span className={css.stepName}>{nameOf(step)}</span>
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
