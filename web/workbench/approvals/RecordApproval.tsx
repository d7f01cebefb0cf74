import { Skeleton } from 'antd'
import type { AnyEntity } from '#kernel/definition/entity.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { RecordForm } from '#web/records/RecordForm.tsx'
import { useRecordActs } from '#web/records/use-record-acts.ts'
import { useRecord } from '#web/records/use-record.ts'
import type { DetailProps } from '#web/workbench/approvals/ApprovalsPage.tsx'
import { DecisionBar, DetailHead } from '#web/workbench/approvals/DecisionBar.tsx'
import css from '#web/workbench/approvals/Approvals.module.css'

const NOTHING_GIVEN = {}

/** A record to decide on: its fields, and the decision. */
export function RecordApproval({ definition, ...props }: DetailProps & { definition: AnyEntity }) {
  const { approval, onDone } = props
  const { asked, info } = useRecord(definition, approval.key, NOTHING_GIVEN, null)
  const { act, busy, labelOf } = useRecordActs(definition)
  const decide = async (action: string, reason: string) => {
    if (info !== null && (await act(action, info, reason === '' ? {} : { reason }))) onDone()
  }
  const because = (action: string): string | null =>
    info?.actions?.includes(action) === false ? '当前状态下，本人不能进行该操作' : null
  return (
    <>
      <DetailHead {...props} />
      <div className={css.content}>
        {asked.isError && info === null && <Failed thrown={asked.error} onRetry={() => void asked.refetch()} />}
        {info === null ? (
          asked.isPending && <Skeleton active />
        ) : (
          <RecordForm
            definition={definition}
            values={info}
            problems={{}}
            locked
            isNew={false}
            fixed={[]}
            onWrite={() => undefined}
          />
        )}
      </div>
      {info !== null && (
        <DecisionBar
          {...props}
          reasonOnly
          approveLabel={labelOf(approval.approve)}
          rejectLabel={approval.reject && labelOf(approval.reject)}
          blocked={because(approval.approve)}
          rejectBlocked={approval.reject === null ? null : because(approval.reject)}
          busy={busy !== null}
          onApprove={() => void decide(approval.approve, '')}
          onReject={reason => approval.reject !== null && void decide(approval.reject, reason)}
        />
      )}
    </>
  )
}
