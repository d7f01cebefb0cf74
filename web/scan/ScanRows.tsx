import { add, compare, type Decimal, isZero, plain, subtract } from '#kernel/values/decimal.ts'
import { Button } from 'antd'
import { CorrectCode } from '#web/scan/CorrectCode.tsx'
import type { Expected, Mark, ScannedRow } from '#web/scan/tally.ts'
import css from '#web/scan/ScanCounter.module.css'

type Props = {
  readonly expected: readonly Expected[]
  readonly rows: readonly ScannedRow[]
  readonly marks: readonly Mark[]
  readonly isList: boolean
  /** A count: what was not scanned yet is not counted, and differs from nothing. */
  readonly isCount: boolean
  /** A person chose how a code is read. */
  readonly onChoose: (code: string, meant: string) => void
}
const LOGGED = 10

/** Every line with what is still missing, what was found beyond the list, and the last scans. */
export function ScanRows({ expected, rows, marks, isList, isCount, onChoose }: Props) {
  const beside = rows.filter(row => !expected.some(line => line.at === row.at))
  const scanned = rows.reduce<Decimal>((sum, row) => add(sum, row.quantity, 3), '0')
  const compared = isCount ? expected.filter(line => rows.some(row => row.at === line.at)) : expected
  const against = compared.reduce<Decimal>((sum, line) => add(sum, line.quantity, 3), '0')
  const whole = expected.reduce<Decimal>((sum, line) => add(sum, line.quantity, 3), '0')
  return (
    <div className={css.body}>
      <div className={css.sheet}>
        <table aria-label="扫码明细">
          <thead>
            <tr>
              <th>产品</th>
              <th>批号</th>
              <th>有效期至</th>
              {isList && <th className={css.figure}>应扫</th>}
              <th className={css.figure}>已扫</th>
              {isList && <th className={css.figure}>差异</th>}
            </tr>
          </thead>
          <tbody>
            {expected.map(line => (
              <ExpectedRow key={line.at} line={line} rows={rows.filter(row => row.at === line.at)} isCount={isCount} />
            ))}
            {beside.map(row => (
              <tr key={`${row.at}${row.specification_sn}${row.lot_no}`} data-state={isList ? 'beyond' : 'free'}>
                <td>{row.name}</td>
                <td className="mono">{row.lot_no ?? '-'}</td>
                <td>{row.expiry_date ?? '-'}</td>
                {isList && (
                  <td className={css.figure} data-label="应扫">
                    0
                  </td>
                )}
                <td className={css.figure} data-label="已扫">
                  {plain(row.quantity)} {row.unit}
                </td>
                {isList && (
                  <td className={css.figure} data-label="差异">
                    +{plain(row.quantity)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={3}>合计</td>
              {isList && (
                <td className={css.figure} data-label="应扫">
                  {plain(whole)}
                </td>
              )}
              <td className={css.figure} data-label="已扫">
                {plain(scanned)}
              </td>
              {isList && (
                <td className={css.figure} data-label="差异">
                  {plain(subtract(scanned, against, 3))}
                </td>
              )}
            </tr>
          </tfoot>
        </table>
      </div>
      <ol className={css.log} aria-label="最近扫码">
        {marks
          .slice(-LOGGED)
          .reverse()
          .map(mark => (
            <li key={mark.id} data-tone={mark.tone}>
              {mark.sentence}
              {mark.notes?.map(note => (
                <p key={note} className={css.note}>
                  {note}
                </p>
              ))}
              {mark.choices?.map(({ of, code, says }) => (
                <Button key={code} size="small" onClick={() => onChoose(of, code)}>
                  {says}
                </Button>
              ))}
              {mark.unknown !== undefined && (
                <>
                  　<CorrectCode code={mark.unknown} />
                </>
              )}
            </li>
          ))}
      </ol>
    </div>
  )
}

type ExpectedProps = { line: Expected; rows: readonly ScannedRow[]; isCount: boolean }

function ExpectedRow({ line, rows, isCount }: ExpectedProps) {
  const isOpen = isCount && rows.length === 0
  const scanned = rows.reduce<Decimal>((sum, row) => add(sum, row.quantity, 3), '0')
  const difference = subtract(scanned, line.quantity, 3)
  const state = isZero(scanned) ? 'open' : compare(scanned, line.quantity) === 0 ? 'whole' : 'part'
  const lots = [...new Set(rows.flatMap(row => row.lot_no ?? []))]
  const days = [...new Set(rows.flatMap(row => row.expiry_date ?? []))]
  return (
    <tr data-state={state}>
      <td>{line.name}</td>
      <td className="mono">{lots.join('、') || line.lot_no || '-'}</td>
      <td>{days.join('、') || line.expiry_date || '-'}</td>
      <td className={css.figure} data-label="应扫">
        {plain(line.quantity)}
      </td>
      <td className={css.figure} data-label="已扫">
        {isOpen ? '' : `${plain(scanned)} ${line.unit}`}
      </td>
      <td className={css.figure} data-label="差异">
        {isOpen ? '' : isZero(difference) ? '✓' : plain(difference)}
      </td>
    </tr>
  )
}
