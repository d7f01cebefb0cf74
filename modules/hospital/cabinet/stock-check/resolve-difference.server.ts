import { instant } from '#kernel/values/date.ts'
import { absolute, type Decimal } from '#kernel/values/decimal.ts'
import { BusinessError } from '#kernel/rules/errors.ts'
import { handlings } from '#modules/hospital/cabinet/stock-check/cabinet-comparison.entity.ts'
import { bookUse, type Patient } from '#modules/hospital/cabinet/transactions/usage-booking.server.ts'
import { transferHome } from '#modules/hospital/cabinet/stock-check/transfer-into-cabinet.server.ts'
import type { Cabinet } from '#modules/hospital/cabinet/device/event-context.server.ts'
import { bindCode, serialsByCode } from '#server/public/stock.ts'
import type { RecordAction, RecordRow } from '#server/public/records.ts'
import type { Session } from '#server/public/session.ts'
import type { Tx } from '#server/public/database.ts'

type Settled = {
  readonly document_kind?: string
  readonly document_sn?: string
  readonly state?: string
  readonly note?: string | null
}
type Way = (tx: Tx, session: Session, row: Readonly<RecordRow>, answers: Readonly<RecordRow>) => Promise<Settled>

const mustBe = (row: Readonly<RecordRow>, kinds: readonly string[], sentence: string) => {
  if (!kinds.includes(String(row.difference_kind))) throw new BusinessError('rule', sentence)
}

async function cabinetBehind(
  tx: Tx,
  session: Session,
  row: Readonly<RecordRow>,
): Promise<Cabinet & { owner_id: string | null }> {
  const [cabinet] = await tx<(Cabinet & { owner_id: string | null })[]>`
    select c.id, c.code, c.name, c.warehouse_id, w.department_id, w.parent_id, c.open_seconds, r.owner_id
      from cabinet_comparison r
      join cabinet c on c.org_id = r.org_id and c.id = r.cabinet_id join warehouse w on w.org_id = c.org_id
        and w.id = c.warehouse_id
     where r.org_id = ${session.org.id} and r.id = ${String(row.cabinet_comparison_sn)}`
  return cabinet!
}

/** 补登取用: a missing piece was used, on a patient or by the department; the open take is linked with it. */
const use: Way = async (tx, session, row, answers) => {
  mustBe(row, ['missing'], '只有缺失可以补登取用')
  const cabinet = await cabinetBehind(tx, session, row)
  const { way: _way, piece_code: _code, handling_note: _note, ...given } = answers
  const patient = [given.patient_no, given.patient_name, given.admission_no].some(Boolean) ? (given as Patient) : null
  const code = row.unit_code as string | null
  const sn = await bookUse(
    tx,
    session,
    {
      warehouse: cabinet.warehouse_id,
      department: cabinet.department_id,
      handler: null,
      used_at: (row.last_at as string | null) ?? String(row.compared_at),
      patient,
      type: patient === null ? 'cabinet' : 'patient',
      remark: `柜体库存比对${String(row.compare_no)}补登取用`,
    },
    [
      {
        specification_id: String(row.specification_sn),
        lot_no: row.lot_no as string,
        unit_code: code,
        owner_id: cabinet.owner_id,
        quantity: absolute(row.difference as Decimal),
      },
    ],
  )
  if (code !== null)
    await tx`
      update cabinet_transaction set state = 'linked', document_kind = 'departmentUse', document_sn = ${sn},
        patient_no = ${patient?.patient_no ?? null}, patient_name = ${patient?.patient_name ?? null},
             admission_no = ${patient?.admission_no ?? null}, version = version + 1
       where org_id = ${session.org.id} and unit_code = ${code} and operation = 'take'
         and state in ('pending', 'abnormal') and document_sn is null`
  return { document_kind: 'departmentUse', document_sn: sn }
}

/** 归还: it will be put back; the next reading that finds it closes the difference, not this entry. */
const giveBack: Way = async (_tx, _session, row) => {
  mustBe(row, ['missing'], '只有缺失可以归还')
  return { state: 'waiting', note: '待放回柜内，下次读到后自动消除' }
}

/** 移库: the ledger follows the piece into the cabinet where it is. */
const move: Way = async (tx, session, row) => {
  mustBe(row, ['misplaced', 'surplus'], '只有错柜和多出可以移库')
  const code = row.unit_code as string | null
  const unit = code === null ? undefined : (await serialsByCode(tx, session.org.id, [code])).get(code)
  if (!unit || unit.status !== 'in_stock' || unit.holder_org_id !== session.org.id)
    throw new BusinessError('rule', '该件账面不在本院库存中，不能移库，请盘点或红冲原单据')
  const docs: string[] = []
  const moved = await transferHome(
    { tx, session, cabinet: await cabinetBehind(tx, session, row), documents: docs },
    unit,
    code!,
  )
  if ('why' in moved) throw new BusinessError('rule', moved.why)
  return { document_kind: 'transfer', document_sn: moved.done }
}

/** 绑定标签: the unknown tag is assigned to this piece. */
const bindTag: Way = async (tx, session, row, answers) => {
  mustBe(row, ['unknown'], '只有未知标签可以绑定')
  const piece = answers.piece_code as string | null | undefined
  if (!piece) throw new BusinessError('invalid', '请填写所属院内码', [{ field: 'piece_code', msg: '请填写所属院内码' }])
  const unit = (await serialsByCode(tx, session.org.id, [piece])).get(piece)
  if (!unit || unit.holder_org_id !== session.org.id)
    throw new BusinessError('notFound', `院内码${piece}不存在或不在本院`)
  await bindCode(tx, session.org.id, { bare: String(row.unit_code), lot_id: unit.lot_id, unit_id: unit.unit_id })
  return { note: `已绑定到${piece}` }
}

const ways: Readonly<Record<string, Way>> = { use, return: giveBack, move, bindTag }

/** 差异处理: each way uses the ordinary documents; the comparison itself books nothing. */
export const settle: RecordAction = async (tx, session, row, _reason, answers) => {
  const way = String(answers.way) as keyof typeof handlings
  if (way === 'stockTake') throw new BusinessError('rule', '生成盘点单请在列表勾选差异后点“生成盘点单”')
  const settled = await ways[way]!(tx, session, row, answers)
  return {
    state: 'handled',
    handling: way,
    handled_by: session.userName,
    handled_at: instant(),
    note: (answers.handling_note as string | null | undefined) ?? null,
    ...settled,
  }
}
