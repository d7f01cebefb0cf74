import type { TransactionSql } from 'postgres'
import { addDays, today } from '#kernel/values/date.ts'
import type { Organisations } from '#demo/masters/organisations.ts'
import { pinyinInitials } from '#server/reference/pinyin.ts'
import { idOf, insertRows } from '#demo/rows.ts'

const lists = [
  ['storage_condition', '贮存条件', ['常温干燥', '阴凉(不超过20℃)', '冷藏(2-8℃)', '冷冻(-20℃以下)', '避光']],
  ['campus', '院区', ['本部', '东院区']],
  ['job_title', '职称', ['主任医师', '副主任医师', '主治医师', '主任护师', '主管护师', '护师', '高级工程师', '工程师']],
  ['org_nature', '机构性质', ['公立', '民营', '合资', '有限责任公司', '股份有限公司']],
  ['return_reason', '退货原因', ['近效期', '包装破损', '型号不符', '质量问题', '多发']],
] as const

/** Settings of the platform and each organisation from before any trade, so that no settings page is empty. */
export async function loadSettings(tx: TransactionSql, organisations: Organisations): Promise<void> {
  const all = [...organisations.organisations]
  const traders = all.filter(([code]) => !code.startsWith('P'))
  await insertRows(
    tx,
    'audit_setting',
    traders.flatMap(([, org_id]) => [
      {
        org_id,
        document_kind: 'otherGrn',
        allow_self: true,
        remind_hours: 24,
        remark: '其他入库：一级审核，允许本人审核',
      },
      {
        org_id,
        document_kind: 'payment',
        allow_self: false,
        remind_hours: 48,
        remark: '付款单：由他人审核，两天内审完',
      },
    ]),
  )
  await insertRows(
    tx,
    'notice',
    all.map(([, org_id]) => ({
      org_id,
      code: 'GG2601010001',
      notice_type: 'internal',
      title: '月末盘点安排',
      body: '每月最后一个工作日盘点，当日15时后暂停出入库，请提前安排。',
      audience: 'own',
    })),
  )
  await insertRows(
    tx,
    'sent_message',
    all
      .filter(([code]) => code.startsWith('P'))
      .map(([, org_id]) => ({
        org_id,
        title: '系统维护通知（演示）',
        body: '本周六22:00至24:00升级，期间不能使用，请提前安排。',
        message_type: 'maintenance',
      })),
  )
  await loadIncidents(tx, all, traders)
  await loadClimate(tx, organisations)
  await loadPlates(tx, organisations)
  await loadLists(tx)
  await loadOffers(tx)
  await loadThrownAway(tx, organisations)
}

type Orgs = readonly (readonly [code: string, id: string])[]

/** Incidents of a day's work, and a failed call. */
async function loadIncidents(tx: TransactionSql, all: Orgs, traders: Orgs): Promise<void> {
  await insertRows(
    tx,
    'error_record',
    traders.map(([, org_id]) => ({
      org_id,
      error_kind: 'unreadable',
      source: '扫码',
      description: '条码中有无法识别的内容',
      object: '(99)DEMO-UNKNOWN',
      operator: '演示',
    })),
  )
  await insertRows(
    tx,
    'outbound_call',
    all
      .filter(([code]) => /^[PH]/.test(code))
      .map(([code, org_id]) => ({
        org_id,
        system: code.startsWith('P') ? 'sms' : 'his',
        name: code.startsWith('P') ? 'SendSms login' : 'PushCharge',
        error_kind: 'TimeoutError',
        error: '对方系统在10秒内没有应答',
        request: '{"phone":"139****0001"}',
        state: 'waiting',
        call_key: `demo-${code}`,
        tries: 1,
        took_ms: 10_000,
        failed_at: new Date().toISOString(),
        next_at: null,
      })),
  )
}

/** Yesterday's thermometer readings of the organisations that trade under GSP. */
async function loadClimate(tx: TransactionSql, { organisations, warehouses }: Organisations): Promise<void> {
  const log_date = addDays(today(), -1)
  await insertRows(
    tx,
    'temperature_log',
    [...organisations]
      .filter(([code]) => /^[DV]/.test(code))
      .flatMap(([code, org_id]) =>
        (['am', 'pm'] as const).map(half => ({
          org_id,
          warehouse_id: idOf(warehouses, `${code}-W01`),
          area: '常温区',
          log_date,
          half,
          temperature: half === 'am' ? '19.5' : '22.0',
          humidity: half === 'am' ? '55' : '51',
          recorded_by: '演示',
        })),
      ),
  )
}

/** Plates of the weighing cabinet, tared and waiting for their goods. */
async function loadPlates(tx: TransactionSql, { organisations, warehouses }: Organisations): Promise<void> {
  await insertRows(
    tx,
    'weighing_plate',
    ['TP-0101', 'TP-0102', 'TP-0103'].map((code, at) => ({
      org_id: idOf(organisations, 'H01'),
      code,
      rack: `ICU低值称重柜 ${at + 1}层`,
      warehouse_id: idOf(warehouses, 'H01-W33'),
      tare_g: '205',
      weight_g: '205',
      lower_limit: '20',
      par_level: '100',
      read_at: new Date().toISOString(),
    })),
  )
}

async function loadLists(tx: TransactionSql): Promise<void> {
  for (const [code, name, items] of lists) {
    const [made] = await tx<
      { id: string }[]
    >`insert into dictionary (code, name, allows_own) values (${code}, ${name}, true) returning id`
    await insertRows(
      tx,
      'dictionary_item',
      items.map((item, at) => ({
        dictionary_id: made!.id,
        code: String(at + 1).padStart(2, '0'),
        name: item,
        pinyin: pinyinInitials(item),
        sort_no: at,
      })),
    )
  }
}

async function loadOffers(tx: TransactionSql): Promise<void> {
  await insertRows(tx, 'video_course', [
    {
      title: '扫码收货三分钟上手',
      category: '入库',
      orgs: [],
      route: '/hospital/purchaseGrn',
      body: '一、打开采购入库，选择到货的来源单。二、逐件扫描外包装条码。三、核对数量与效期后提交。',
      state: 'published',
      uploaded_by: '平台管理员',
      published_at: new Date().toISOString(),
    },
  ])
  await insertRows(tx, 'app_version', [
    { name: '手持终端', platform: 'pda', version_name: '1.0.0', version_no: 1, notes: '首个版本', state: 'draft' },
  ])
}

/** A product created by mistake and deleted: test material for 数据恢复. */
async function loadThrownAway(tx: TransactionSql, organisations: Organisations): Promise<void> {
  const maker = organisations.organisations.get('V01')
  if (!maker) return
  const [made] = await tx<{ id: string; row: never }[]>`
    insert into product (code, name, manufacturer_id, device_class, base_unit, status)
      values ('P999', '误建的一次性使用导管（演示）', ${maker}, 'II', '根', 'self_built')
    returning id, to_jsonb(product) as row`
  await tx`delete from product where id = ${made!.id}`
  await tx`
    insert into recycle_bin (restore_type, kind, object_id, name, code, holder_id, operation, content, deleted_by)
    values ('RESTOREPRODUCT', 'product', ${made!.id}, '误建的一次性使用导管（演示）', 'P999', ${maker}, 'delete',
      ${tx.json(made!.row)}, '演示')`
}
