import { Result, Spin } from 'antd'
import { useQueries } from '@tanstack/react-query'
import type { PrintSheet } from '#kernel/print/print-definition.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Carrier } from '#web/print/labels/Barcode.tsx'
import { PrintShell } from '#web/print/PrintShell.tsx'
import css from '#web/print/Print.module.css'

/** Millimetres of the symbol. */
const LABEL_MM = 38
const CARD_MM = 22

type Props = {
  readonly labels: NonNullable<PrintSheet['labels']>
  readonly kind: string
  readonly sns: readonly string[]
  /** The organisation they belong to, if not one's own. */
  readonly whose: Row
}

/** Labels of the parts of what a sheet prints, one per page: the doors of a cabinet. */
export function RowLabels({ labels, kind, sns, whose }: Props) {
  const asked = useQueries({
    queries: sns.map(sn => ({
      queryKey: [kind, 'print', sn, whose],
      retry: false,
      queryFn: async () => (await get<Row>(`/v1/business/${kind}/print`, { sn, ...whose })).info as Row,
    })),
  })
  if (asked.some(each => each.isPending)) return <Spin fullscreen description="正在准备打印……" />
  const parts = asked.flatMap(each => (each.data?.[labels.of] ?? []) as readonly Row[])
  const failed = asked.find(each => each.isError)
  if (parts.length === 0)
    return <Result status="warning" title={failed ? sentenceOf(failed.error) : `没有可以打印的${labels.title}`} />
  const { width, height } = labels.size
  return (
    <PrintShell title={`${labels.title}　${parts.length}张`} size={labels.size} onPrint={async () => true}>
      <div className={css.labels}>
        {parts.map(part => (
          <section
            key={`${String(part[labels.code])} ${String(part[labels.name])}`}
            className={css.label}
            style={{ width: `${width}mm`, height: `${height}mm`, fontSize: labels.opens ? '2.5mm' : '3.6mm' }}
            aria-label={String(part[labels.name])}
          >
            <Carrier
              as="qrcode"
              text={labels.opens ? window.location.origin + String(part[labels.code]) : String(part[labels.code])}
              height={labels.opens ? CARD_MM : LABEL_MM}
            />
            <div className={css.labelText}>
              <div data-face="place">{String(part[labels.name])}</div>
              {labels.facts
                .filter(([, name]) => part[name] !== null && part[name] !== undefined)
                .map(([label, name]) => (
                  <div key={name}>
                    {label} {String(part[name])}
                  </div>
                ))}
              {!labels.opens && <div data-face="code">{String(part[labels.code])}</div>}
            </div>
          </section>
        ))}
      </div>
    </PrintShell>
  )
}
