import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Select } from 'antd'
import { useState } from 'react'
import { type AskedColumns, NO_HEADINGS, type ReadPreview, wrongMapping } from '#kernel/tables/foreign-table.ts'
import type { ColumnChoice } from '#web/engine/actions/prompts.ts'
import { sentenceOf } from '#web/engine/http/request-error.ts'
import { ColumnPicks, type Picked } from '#web/sheets/ColumnPicks.tsx'
import css from '#web/sheets/Columns.module.css'

type Props = {
  /** The reason why the user must choose. */
  readonly message: string
  readonly asked: AskedColumns
  readonly tryOut: (choice: ColumnChoice) => Promise<ReadPreview>
  readonly onAnswer: (choice: ColumnChoice | null) => void
}

const SAMPLES = 5
const LONGEST_OPTION = 40

/** Only what the file still has under other headings. */
const within = (picks: Picked['picks'], headings: readonly string[]): Picked['picks'] =>
  Object.fromEntries(
    Object.entries(picks)
      .map(([name, picked]) => [name, picked.filter(heading => headings.includes(heading))] as const)
      .filter(([, picked]) => picked.length > 0),
  )

/** Asks which columns of a file are the wanted ones, and shows how it will be read with them. */
export function ColumnsDialog({ message, asked, tryOut, onAnswer }: Props) {
  const { kind, title, file, wanted, rows } = asked
  const [row, setRow] = useState(asked.row)
  const headingsAt = (at: number) => (at === NO_HEADINGS ? asked.places : (asked.headings[at] ?? []))
  const headings = headingsAt(row)
  const [picked, setPicked] = useState<Picked>(() => ({ picks: within(asked.picks, headings), units: {} }))
  const choice = { kind, headings, ...picked }
  const wrong = wrongMapping(wanted, choice)
  const preview = useQuery({
    queryKey: ['columns', kind, file, headings, picked],
    queryFn: () => tryOut(choice),
    enabled: wrong === null,
    retry: false,
    gcTime: 0,
  })
  const isReady = wrong === null && preview.data?.refused === null
  return (
    <Modal
      open
      title={`指定${title}的列`}
      width={880}
      okText="按此读取并记住"
      cancelText="返回"
      okButtonProps={{ disabled: !isReady }}
      onOk={() => onAnswer(choice)}
      onCancel={() => onAnswer(null)}
    >
      <Alert type="warning" showIcon title={message} className={css.why ?? ''} />
      <label className={css.headRow}>
        列名所在的行
        <Select
          aria-label="列名所在的行"
          value={row}
          options={[
            ...asked.headings.map((each, at) => ({
              value: at,
              label: `第${at + 1}行：${each.join('、').slice(0, LONGEST_OPTION)}`,
            })),
            { value: NO_HEADINGS, label: '没有列名，按第几列指定' },
          ]}
          onChange={next => {
            setRow(next)
            setPicked({ picks: within(picked.picks, headingsAt(next)), units: picked.units })
          }}
        />
      </label>
      <ColumnPicks wanted={wanted} headings={headings} value={picked} onChange={setPicked} />
      <Cells
        label="文件的前几行"
        headings={headings}
        marks={headings.map(heading => wanted.filter(({ name }) => picked.picks[name]?.includes(heading)))}
        rows={rows.slice(row + 1, row + 1 + SAMPLES)}
      />
      <div role="status" className={css.outcome}>
        {wrong !== null ? (
          <span className="quiet">{wrong}</span>
        ) : preview.isPending ? (
          <span className="quiet">正在按所选的列读取…</span>
        ) : preview.isError ? (
          <Alert type="error" showIcon title={sentenceOf(preview.error)} />
        ) : preview.data.refused !== null ? (
          <Alert type="error" showIcon title={preview.data.refused} />
        ) : (
          <strong>{preview.data.said}</strong>
        )}
      </div>
      {isReady && preview.data && (
        <Cells label="将这样读取" headings={preview.data.headings} rows={preview.data.rows} />
      )}
    </Modal>
  )
}

type CellsProps = {
  readonly label: string
  readonly headings: readonly string[]
  /** The field for which each column was picked. */
  readonly marks?: readonly AskedColumns['wanted'][]
  readonly rows: AskedColumns['rows']
}

/** Rows of a file under their headings, which scroll sideways in themselves. */
const Cells = ({ label, headings, marks = [], rows }: CellsProps) => (
  <section className={css.cells}>
    <h3>{label}</h3>
    {/* Without a stop for the keyboard its right half would be out of reach. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {headings.map((heading, at) => (
              <th key={heading} data-picked={(marks[at] ?? []).length > 0}>
                {heading}
                {(marks[at] ?? []).map(({ name, label: said }) => (
                  <em key={name}>{said}</em>
                ))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no other name
            <tr key={at}>
              {headings.map((heading, column) => (
                <td key={heading} data-picked={(marks[column] ?? []).length > 0}>
                  {cells[column] ?? ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)
