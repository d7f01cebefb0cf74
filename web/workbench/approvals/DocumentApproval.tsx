import { Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { headerField } from '#kernel/definition/common-fields.ts'
import { useAct } from '#web/engine/actions/use-action.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { PostingPreview } from '#web/editor/document/PostingPreview.tsx'
import { infoQuery } from '#web/editor/document/use-document.ts'
import { lineColumns } from '#web/editor/lines/line-columns.ts'
import { isEmpty, type Row } from '#web/fields/field-renderer.ts'
import { faces } from '#web/fields/field-renderers.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { wallTime } from '#web/fields/kinds/timestamp.tsx'
import { refusalsQuery } from '#web/list/actions/use-action-availability.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { useCanSeeField } from '#web/shell/menu/menu.ts'
import type { DetailProps } from '#web/workbench/approvals/ApprovalsPage.tsx'
import { DecisionBar, DetailHead } from '#web/workbench/approvals/DecisionBar.tsx'
import css from '#web/workbench/approvals/Approvals.module.css'

type Step = { readonly level_no: number; readonly name: string; readonly approvers: string; readonly state: string }

/** A document to decide on: its content, the reasons for which it would be refused, and the decision. */
export function DocumentApproval({ definition, ...props }: DetailProps & { definition: AnyDocument }) {
  const { approval, onDone } = props
  const asked = useQuery(infoQuery(definition.kind, approval.key))
  const info = asked.data
  // The refusals are read before the user presses the button.
  const refusals = useQuery({
    ...refusalsQuery(definition.kind, info ?? {}),
    enabled: info !== undefined,
    staleTime: 0,
  })
  const { act, busy } = useAct(definition)
  const [opinion, setOpinion] = useState<string | null>(null)
  const label = definition.actions[approval.approve]?.label ?? approval.approve
  const decide = async (action: string, reason: string) => {
    if (info === undefined) return
    const outcome = await act(action, info, info, reason === '' ? {} : { reason })
    setOpinion(null)
    if (outcome.done) onDone()
  }
  const because = (action: string): string | null | undefined => {
    if (info !== undefined && info.actions?.includes(action) === false)
      return '当前状态或审批级次下，本人不能进行该操作'
    return refusals.isError ? null : refusals.data && (refusals.data[action] ?? null)
  }
  return (
    <>
      <DetailHead {...props}>
        {approval.amount != null && <b className={css.sum}>{groupDigits(approval.amount)} 元</b>}
      </DetailHead>
      <div className={css.content}>
        {asked.isError && info === undefined && <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />}
        {info === undefined ? asked.isPending && <Skeleton active /> : <Facts definition={definition} info={info} />}
      </div>
      {info !== undefined && (
        <DecisionBar
          {...props}
          approveLabel={label}
          rejectLabel={approval.reject && (definition.actions[approval.reject]?.label ?? approval.reject)}
          blocked={because(approval.approve)}
          rejectBlocked={approval.reject === null ? null : because(approval.reject)}
          busy={busy !== null}
          onApprove={text =>
            // An action that posts to the ledgers shows its effects first.
            definition.actions[approval.approve]?.effect === 'post'
              ? setOpinion(text)
              : void decide(approval.approve, text)
          }
          onReject={text => approval.reject !== null && void decide(approval.reject, text)}
        />
      )}
      {opinion !== null && info !== undefined && (
        <PostingPreview
          definition={definition}
          action={approval.approve}
          sn={info.sn}
          version={info.version}
          busy={busy !== null}
          onGo={() => void decide(approval.approve, opinion)}
          onClose={() => setOpinion(null)}
        />
      )}
    </>
  )
}

function Facts({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
  const steps = (info.review_steps ?? []) as readonly Step[]
  const said = (info.history ?? []).filter(entry => !isEmpty(entry.reason))
  return (
    <>
      {steps.length > 1 && (
        <ol className={css.levels} aria-label="审批级次">
          {steps.map(step => (
            <li key={step.level_no} data-state={step.state}>
              {step.name}：{step.approvers}
              {step.state === 'signed' ? ' 已审' : step.state === 'waiting' ? ' 待审' : ''}
            </li>
          ))}
        </ol>
      )}
      <Header definition={definition} info={info} />
      <Lines definition={definition} info={info} />
      {said.length > 0 && (
        <section aria-label="历史意见">
          <h3 className={css.part}>历史意见</h3>
          <ul className={css.said}>
            {said.map(entry => (
              <li key={`${entry.at}${entry.action}`}>
                {entry.at && wallTime(entry.at).slice(0, 16)} {entry.actor_name} {entry.label}：{entry.reason}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** The filled fields of the header; files can be opened. */
function Header({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
  const sees = useCanSeeField()
  const names = Object.keys(definition.header).filter(name => !isEmpty(info[name]) && info[name] !== false)
  return (
    <dl className={css.facts}>
      {names.map(name => {
        const field = headerField(definition, name)
        if (field === undefined || !sees(field)) return null
        const { Cell, Input } = faces[field.as]
        return (
          <div key={name} data-wide={field.as === 'longText' || field.as === 'files'}>
            <dt>{field.label}</dt>
            <dd>
              {field.as === 'files' ? (
                <Input
                  id={`approval-${name}`}
                  field={field}
                  name={name}
                  value={info[name]}
                  row={info}
                  disabled
                  invalid={false}
                  onChange={() => undefined}
                />
              ) : (
                <Cell field={field} name={name} value={info[name]} row={info} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Lines shown here; the rest is on the document's page. */
const SHOWN = 100
/** The most columns beside each other. */
const COLUMNS = 9

function Lines({ definition, info }: { definition: AnyDocument; info: DocumentView }) {
  const sees = useCanSeeField()
  const { lines } = info
  if (lines.length === 0) return null
  const columns = lineColumns(definition, lines, true, false, info.state)
    .filter(({ field, name }) => field.as !== 'codes' && sees(field) && lines.some(line => !isEmpty(line[name])))
    .slice(0, COLUMNS)
  const rows: readonly Row[] = lines.slice(0, SHOWN)
  return (
    <section aria-label="明细">
      <h3 className={css.part}>
        明细 <small>{lines.length} 行</small>
      </h3>
      <div className={css.scroll}>
        <table className={css.lines}>
          <thead>
            <tr>
              {columns.map(({ name, title, field }) => (
                <th key={name} className={faces[field.as].align === 'right' ? 'num' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((line, at) => (
              <tr key={String(line.line_no ?? at)}>
                {columns.map(({ name, title, field, textFrom }) => {
                  const { Cell, align } = faces[field.as]
                  return (
                    <td key={name} data-title={title} className={align === 'right' ? 'num' : undefined}>
                      {textFrom !== undefined && !isEmpty(line[textFrom]) ? (
                        String(line[textFrom])
                      ) : (
                        <Cell field={field} name={name} value={line[name]} row={line} />
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > SHOWN && <p className={css.quiet}>其余 {lines.length - SHOWN} 行请打开单据查看</p>}
    </section>
  )
}
