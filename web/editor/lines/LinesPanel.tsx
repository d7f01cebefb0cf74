import {
  DeleteOutlined,
  DownOutlined,
  ExclamationCircleOutlined,
  FileExcelOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  LinkOutlined,
  PlusOutlined,
  ScanOutlined,
} from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { share } from '#kernel/values/decimal.ts'
import type { SourceRule } from '#kernel/definition/document-links.ts'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { namesGoods } from '#kernel/definition/line-content.ts'
import { documentOf } from '#kernel/registry.ts'
import { without } from '#kernel/values/without.ts'
import { usePage } from '#web/engine/page-context.ts'
import { usePhone } from '#web/engine/small-screen.ts'
import { prefer, usePreferences } from '#web/engine/session/preferences.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { LinesImport } from '#web/editor/lines/LinesImport.tsx'
import { LotsButton } from '#web/editor/lines/AllocateLotsButton.tsx'
import { ScanBox } from '#web/editor/lines/ScanBox.tsx'
import { SourcesDialog } from '#web/editor/sources/SourcesDialog.tsx'
import { useSession } from '#web/engine/session/session.ts'
import { asAgreed, lineColumns } from '#web/editor/lines/line-columns.ts'
import { takeScan } from '#web/editor/lines/apply-scan.ts'
import type { OpenDocument } from '#web/editor/document/use-document.ts'
import { useCounter } from '#web/scan/use-counter.ts'
import { useShortcuts } from '#web/engine/shortcuts.ts'
import { type GridHandle, LineGrid } from '#web/grid/LineGrid.tsx'
import { isBlank } from '#web/grid/lines.ts'
import { useMay, useCanSeeField } from '#web/shell/menu/menu.ts'
import css from '#web/editor/Editor.module.css'

const ScanCounter = lazy(() => import('#web/scan/ScanCounter.tsx'))

type Props = { readonly definition: AnyDocument; readonly document: OpenDocument; readonly locked: boolean }

const NO_LINES: readonly Row[] = []

/** The lines of a document: scan, choose from sources, or type. */
export function LinesPanel({ definition, document: doc, locked: isLocked }: Props) {
  const locked = isLocked || definition.lineRules.given !== undefined
  const { lines, all, header } = doc
  const grid = useRef<GridHandle>(null)
  const notified = useCanSeeField()
  const page = usePage()
  const may = useMay(page.screen.route, definition.kind)
  const scans = !locked && definition.lineRules.scanning !== undefined && may('scan')
  const counter = useCounter(definition, doc, scans)
  /** The grid is in front and editable. */
  const writes = !locked && counter.sitting === null
  const [importing, setImporting] = useState(() => page.query.import !== undefined)
  // If lines cannot be entered by hand, a new document starts with its source.
  const [take, setTake] = useState<SourceRule | null>(() =>
    definition.lifecycle.manualEntry === false && doc.info === null ? (definition.sourcing.sources?.[0] ?? null) : null,
  )
  const loaded = doc.info?.lines
  const { state, actions }: Partial<NonNullable<typeof doc.info>> = doc.info ?? {}
  const fromSource = Boolean(all[0]?.values.source_sn)
  const agreed = definition.pricing.agreedPriceFor?.includes(useSession()?.orgType ?? 'P') === true
  const isPhone = usePhone()
  const columns = useMemo(() => {
    const all = lineColumns(definition, loaded ?? NO_LINES, locked, fromSource, state, actions?.includes('review'))
    const seen = (agreed ? asAgreed(all) : all).filter(column => notified(column.field))
    // A column that stays would leave a phone no room for the others.
    return isPhone ? seen.map(column => ({ ...column, sticky: false })) : seen
  }, [definition, loaded, locked, fromSource, state, actions, notified, agreed, isPhone])
  const wrong = all.flatMap((line, at) => Object.keys(line.problems).map(field => ({ at, field })))
  const takes = (definition.sourcing.sources ?? []).filter(each => documentOf(each.from) !== undefined)
  const byHand = definition.lifecycle.manualEntry !== false
  const scannable = namesGoods(definition) && definition.posting.stockDirection !== 'none'
  // Rows that update existing lines need a saved document.
  const offersImport =
    definition.lineRules.import === true || (definition.lineRules.import !== undefined && (loaded?.length ?? 0) > 0)
  const section = useRef<HTMLElement>(null)
  const showWrong = useEffectEvent(() => {
    // The lines are read anew, because problems that were marked just now are not in the rendered lines yet.
    const at = lines.all().findIndex(line => Object.keys(line.problems).length > 0)
    if (at === -1 || Object.keys(doc.problems).length > 0) return
    section.current?.scrollIntoView?.({ block: 'nearest' })
    grid.current?.goTo(at, Object.keys(lines.all()[at]!.problems)[0])
  })
  const { revealed } = doc
  useEffect(() => {
    if (revealed > 0) showWrong()
  }, [revealed])
  const nextRow = { keys: 'Alt Enter', what: '下一行', run: () => grid.current?.nextRow() }
  useShortcuts('明细', writes && byHand ? [nextRow] : [])
  const takeLines = (chosen: readonly Row[]) => {
    setTake(null)
    fillFromSource(doc, chosen, take)
  }
  return (
    <section ref={section} className={css.lines} aria-label="明细">
      <div className={css.linesBar}>
        <h2 className={css.linesTitle}>明细</h2>
        {writes && scannable && byHand && (
          <ScanBox onScan={scanned => takeScan(lines, scanned, 'unit_codes' in definition.lines)} />
        )}
        {scans && (
          <Button
            icon={<ScanOutlined />}
            aria-pressed={counter.sitting !== null}
            disabled={counter.sitting !== null}
            onClick={counter.open}
          >
            扫码台
          </Button>
        )}
        {writes && takes.length > 0 && <SourceButton takes={takes} onTake={setTake} />}
        <span className={css.gap} />
        {wrong.length > 0 && (
          <Button
            type="text"
            danger
            icon={<ExclamationCircleOutlined />}
            onClick={() => grid.current?.goTo(wrong[0]?.at ?? 0, wrong[0]?.field)}
          >
            {wrong.length}处有误
          </Button>
        )}
        {writes && definition.posting.stockDirection === 'out' && 'lot_no' in definition.lines && all.length > 0 && (
          <LotsButton definition={definition} document={doc} />
        )}
        {writes && byHand && offersImport && may('import') && (
          <Button icon={<FileExcelOutlined />} onClick={() => setImporting(true)}>
            导入
          </Button>
        )}
        {writes && byHand && (
          <Button icon={<PlusOutlined />} onClick={() => grid.current?.addRow()}>
            添加行
          </Button>
        )}
        {writes && (
          <Button icon={<DeleteOutlined />} disabled={all.length === 0} onClick={() => grid.current?.removeSelected()}>
            删除行
          </Button>
        )}
        <FoldButton />
      </div>
      {counter.sitting !== null ? (
        <Suspense fallback={null}>
          <ScanCounter
            definition={definition}
            document={doc}
            store={counter.store}
            sitting={counter.sitting}
            onClose={counter.close}
          />
        </Suspense>
      ) : (
        <LineGrid
          lines={lines}
          columns={columns}
          locked={locked}
          numbered={definition.lineRules.newestFirst === true}
          label="明细"
          handle={grid}
          blank={
            locked ? (
              <span>{definition.lineRules.given ?? '没有明细'}</span>
            ) : (
              <span>
                {!byHand && '请先引用来源单'}
                {byHand && (scannable ? '扫码、从 Excel 粘贴，或' : '从 Excel 粘贴，或')}
                {byHand && (
                  <button type="button" className="link" onClick={() => grid.current?.addRow()}>
                    添加一行
                  </button>
                )}
              </span>
            )
          }
        />
      )}
      {importing && !locked && (
        <LinesImport definition={definition} document={doc} onClose={() => setImporting(false)} />
      )}
      {take !== null && (
        <SourcesDialog
          kind={definition.kind}
          take={take}
          counterparty={typeof header.counterparty_sn === 'string' ? header.counterparty_sn : null}
          onChoose={takeLines}
          onClose={() => setTake(null)}
        />
      )}
    </section>
  )
}

function FoldButton() {
  const { headerFolded } = usePreferences()
  return (
    <Tooltip title={headerFolded ? '显示单据信息' : '收起单据信息，放大明细'}>
      <Button
        type="text"
        aria-label="放大明细"
        aria-pressed={headerFolded}
        icon={headerFolded ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
        onClick={() => prefer({ headerFolded: !headerFolded })}
      />
    </Tooltip>
  )
}

function SourceButton({ takes, onTake }: { takes: readonly SourceRule[]; onTake: (take: SourceRule) => void }) {
  const [only] = takes
  const titleOf = (take: SourceRule) => take.label ?? documentOf(take.from)?.title ?? take.for
  if (takes.length === 1 && only)
    return (
      <Button icon={<LinkOutlined />} onClick={() => onTake(only)}>
        引用{titleOf(only)}
      </Button>
    )
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: takes.map(each => ({ key: each.for, label: titleOf(each) })),
        onClick: ({ key }) => takes.filter(each => each.for === key).forEach(onTake),
      }}
    >
      <Button icon={<LinkOutlined />}>
        引用来源 <DownOutlined />
      </Button>
    </Dropdown>
  )
}

/** A selected source line fills the header and the lines; its open quantity is taken. */
function fillFromSource(doc: OpenDocument, chosen: readonly Row[], take: SourceRule | null): void {
  const [first] = chosen
  if (first === undefined || take === null) return
  const one = take.multipleSources
    ? {}
    : {
        source_type: first.source_type ?? take.sourceType,
        source_sn: first.source_sn,
        source_org_sn: first.source_org_sn,
      }
  const partner = first.counterparty_sn
    ? { counterparty_sn: first.counterparty_sn, counterparty_name: first.counterparty_name }
    : {}
  const regime = first.regime ? { regime: first.regime } : {}
  doc.write('source_type', first.source_type ?? take.sourceType, { ...one, ...partner, ...regime })
  const all = doc.lines.all()
  const blanks = all.length > 0 && all.every(isBlank) ? all.length : 0
  if (blanks > 0) doc.lines.remove(0, blanks)
  doc.lines.insert(
    doc.lines.all().length,
    chosen.map(row => lineFromSource(take, row)),
  )
}

const QUANTITY_PLACES = 3

/** Fields of a source row that belong to its document, not to the line. */
const ofTheDocument = ['source_type', 'source_kind', 'counterparty_sn', 'counterparty_name', 'regime', 'business_date']

/** Open quantity of a source line is in base units; converts it to the unit of the line. */
function lineFromSource(take: SourceRule, row: Row): Row {
  const { left, base_quantity: base } = row
  const line: Row = without(row, ['left', 'base_quantity', ...ofTheDocument])
  if (take.basis === 'amount') return { ...line, quantity: null, taxed_amount: left }
  const [open, whole] = [String(left), String(base)]
  const quantity = open === whole ? line.quantity : share(String(line.quantity), open, whole, QUANTITY_PLACES)
  return { ...line, quantity }
}
