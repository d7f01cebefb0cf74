import { ExperimentOutlined } from '@ant-design/icons'
import { Alert, Button, Descriptions, Input, Modal } from 'antd'
import { useState } from 'react'
import { packLabel } from '#kernel/values/pack-label.ts'
import css from '#modules/trade/catalogue/barcodes/barcode-test.module.css'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { post } from '#web/engine/http/request.ts'
import type { Scanned } from '#web/engine/parse-scan.ts'
import { MODAL_WIDTH } from '#web/theme/modal-width.ts'

const kinds: Readonly<Record<string, string>> = {
  gs1: 'GS1',
  'gs1-digital-link': 'GS1数字链接',
  ma: 'MA',
  hibc: 'HIBC',
  gtin: '商品条码',
  document: '单据编号',
  inhouse: '自定义编码',
}

/** 条码解析测试: shows the meaning of a scan, without a document and without storing anything. */
export function CodeTrial() {
  const [open, setOpen] = useState(false)
  return (
    <div className={css.bar}>
      <Button icon={<ExperimentOutlined />} onClick={() => setOpen(true)}>
        条码解析测试
      </Button>
      {open && <TrialDialog onClose={() => setOpen(false)} />}
    </div>
  )
}

function TrialDialog({ onClose }: { onClose: () => void }) {
  const [answer, setAnswer] = useState<Scanned | string | null>(null)
  const read = async (code: string) => {
    if (code.trim() === '') return
    try {
      setAnswer((await post<Scanned>('/v1/code/parse', { code, trial: true })).info)
    } catch (thrown) {
      setAnswer(sentenceOf(thrown))
    }
  }
  return (
    <Modal open title="条码解析测试" width={MODAL_WIDTH} footer={null} onCancel={onClose} destroyOnHidden>
      <Input.Search
        autoFocus
        enterButton="解析"
        placeholder="扫描或输入条码，回车解析"
        aria-label="要解析的条码"
        onSearch={code => void read(code)}
      />
      <div className={css.answer} aria-live="polite">
        {typeof answer === 'string' ? <Alert type="error" title={answer} /> : answer && <Reading read={answer} />}
      </div>
    </Modal>
  )
}

function Reading({ read: { parsed, specification, unit } }: { read: Scanned }) {
  if (!parsed.ok) return <Alert type="error" title={`条码格式无法识别：${parsed.message}`} />
  const { measure, pack_name: pack, unit_name: base } = specification ?? {}
  const rows: readonly (readonly [string, unknown])[] = [
    ['类型', kinds[parsed.kind]],
    ['产品标识', parsed.di],
    ['批号', parsed.lot],
    ['生产日期', parsed.productionDate],
    [
      '有效期至',
      parsed.expiryDate === null ? null : `${parsed.expiryDate}${parsed.expiryDayKnown ? '' : '（标签只印到月）'}`,
    ],
    ['序列号', parsed.serial],
    ['产品', specification && `${String(specification.product_name)} ${String(specification.specification_name)}`],
    ['包装', pack ? packLabel(String(pack), String(measure), String(base)) : base],
    ['单件', unit?.code],
  ]
  return (
    <>
      {specification === null && <Alert type="warning" title="未找到对应产品，请新增该条码" />}
      {parsed.warnings.map(warning => (
        <Alert key={warning} type="info" title={warning} />
      ))}
      <Descriptions
        bordered
        column={1}
        size="small"
        items={rows.flatMap(([label, value]) =>
          value === null || value === undefined ? [] : [{ key: label, label, children: String(value) }],
        )}
      />
    </>
  )
}
