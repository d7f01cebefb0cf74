import { Alert, Button, Drawer, Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { accounts, steps } from '#kernel/ledger/posting.ts'
import type { Problem, Question } from '#kernel/rules/errors.ts'
import { documentOf } from '#kernel/registry.ts'
import { post } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { groupDigits } from '#web/fields/kinds/number-input.tsx'
import { Failed } from '#web/list/page/EmptyState.tsx'
import css from '#web/editor/Editor.module.css'

type ActionPreview = {
  readonly refusals?: readonly Problem[]
  readonly questions?: readonly Question[]
  readonly moves?: readonly Row[]
  readonly entries?: readonly Row[]
  readonly follow_ups?: readonly Row[]
}
type Props = {
  readonly definition: AnyDocument
  readonly action: string
  readonly sn: string
  readonly version: number
  readonly busy: boolean
  readonly onGo: () => void
  readonly onClose: () => void
}

const SHOWN = 200
const textOf = (value: unknown): string => (value === null || value === undefined || value === '' ? '-' : String(value))
const signed = (value: unknown): string => (String(value).startsWith('-') ? 'num negative' : 'num')
const figure = (value: unknown): string => (value === null || value === undefined ? '-' : groupDigits(String(value)))

/** Shows what an action would post to the ledgers, before it does; viewing changes nothing. */
export function PostingPreview({ definition, action, sn, version, busy, onGo, onClose }: Props) {
  const label = definition.actions[action]?.label ?? action
  const preview = useQuery({
    queryKey: [definition.kind, 'rehearse', sn, version, action],
    staleTime: 0,
    gcTime: 0,
    queryFn: async () =>
      (
        await post<ActionPreview>(
          `/v1/business/${definition.kind}/rehearse`,
          { sn, version, action },
          { keepQuestions: true },
        )
      ).info,
  })
  const { refusals = [], questions = [], moves = [], entries = [], follow_ups: followUps = [] } = preview.data ?? {}
  return (
    <Drawer
      open
      title={`${label} ${sn}：将发生什么`}
      size={860}
      onClose={onClose}
      extra={
        <Button
          type="primary"
          autoFocus
          loading={busy}
          disabled={preview.isPending || refusals.length > 0}
          onClick={onGo}
        >
          确认{label}
        </Button>
      }
    >
      {preview.isPending && <Skeleton active paragraph={{ rows: 8 }} />}
      {preview.isError && <Failed thrown={preview.error} onRetry={() => void preview.refetch()} />}
      {refusals.length > 0 && (
        <Alert
          type="error"
          showIcon
          title={`现在还不能${label}`}
          description={<Sentences all={refusals} />}
          className={css.alert ?? ''}
        />
      )}
      {questions.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title="将请您确认"
          description={<Sentences all={questions} />}
          className={css.alert ?? ''}
        />
      )}
      {preview.isSuccess && (
        <>
          <h3 className={css.part}>
            库存变动 <small>{moves.length} 行</small>
          </h3>
          <Moves moves={moves} />
          <h3 className={css.part}>
            往来入账 <small>{entries.length} 笔</small>
          </h3>
          <Entries entries={entries} />
          {followUps.length > 0 && <h3 className={css.part}>随之产生</h3>}
          <ul className={css.sentences}>
            {followUps.map((each, at) => (
              <li key={`${each.kind}${at}`}>
                {textOf(each.to_org_name)}：{textOf(each.message ?? documentOf(String(each.kind))?.title)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Drawer>
  )
}

const Sentences = ({ all }: { all: readonly { line?: number; msg: string }[] }) => (
  <ul className={css.sentences}>
    {all.map(each => (
      <li key={`${each.line}${each.msg}`}>
        {each.line ? `第${each.line}行：` : ''}
        {each.msg}
      </li>
    ))}
  </ul>
)

function Moves({ moves }: { moves: readonly Row[] }) {
  if (moves.length === 0) return <p className="faint">不动库存</p>
  return (
    <table className={css.ledger}>
      <thead>
        <tr>
          <th>行</th>
          <th>环节</th>
          <th>产品</th>
          <th>批号</th>
          <th>仓库</th>
          <th>货主</th>
          <th className="num">数量</th>
          <th className="num">金额</th>
        </tr>
      </thead>
      <tbody>
        {moves.slice(0, SHOWN).map((move, at) => (
          <tr key={`${move.line_no}${at}`}>
            <td>{textOf(move.line_no)}</td>
            <td>{steps[move.step as keyof typeof steps] ?? textOf(move.step)}</td>
            <td className={css.product}>
              {[move.product_name, move.specification_name].filter(Boolean).join(' ') || '-'}
            </td>
            <td className="mono">{textOf(move.lot_no)}</td>
            <td>{textOf(move.warehouse_name)}</td>
            <td>{textOf(move.owner_name)}</td>
            <td className={signed(move.quantity)}>{figure(move.quantity)}</td>
            <td className={signed(move.value)}>{figure(move.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Entries({ entries }: { entries: readonly Row[] }) {
  if (entries.length === 0) return <p className="faint">不产生应收应付</p>
  return (
    <table className={css.ledger}>
      <thead>
        <tr>
          <th>科目</th>
          <th>往来单位</th>
          <th className="num">金额</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, at) => (
          <tr key={`${entry.account}${at}`}>
            <td>{accounts[entry.account as keyof typeof accounts] ?? textOf(entry.account)}</td>
            <td>{textOf(entry.counterparty_name)}</td>
            <td className={signed(entry.amount)}>{figure(entry.amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
