import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PrintSheet, PrintTemplate } from '#kernel/print/print-definition.ts'
import { useSession } from '#web/engine/session/session.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Contract } from '#web/print/document/Contract.tsx'
import { layoutOf, sizeOf } from '#web/print/document/page-layout.ts'
import { PrintedDocument } from '#web/print/document/PrintedDocument.tsx'
import css from '#web/print/Print.module.css'
import { sampleContract, sampleDocument } from '#web/print/templates/sample-data.ts'

/** A sheet under a template, filled with a sample. */
export function SampleSheet({ sheet, template, kind }: Shown & { readonly kind: string }) {
  const session = useSession()
  const layout = useMemo(
    () => layoutOf(sheet, template, sheet.unpriced?.includes(kind) !== true, null, kind),
    [sheet, template, kind],
  )
  const info = useMemo((): Row => {
    const doc = { ...sampleDocument(sheet, kind, session?.orgName ?? ''), trial: true }
    return sheet.contract === undefined ? doc : sampleContract(sheet, doc, template.clauses ?? null)
  }, [sheet, kind, session, template])
  const Drawn = sheet.contract === undefined ? PrintedDocument : Contract
  return <Drawn sheet={sheet} layout={layout} info={info} times={0} />
}

const INCH_PIXELS = 96
const INCH_MM = 25.4

type Shown = { readonly sheet: PrintSheet; readonly template: PrintTemplate }

/** Preview of the template in the form, as wide as the form. */
export default function TemplatePreview({ sheet, template }: Shown) {
  const frame = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState(0.5)
  const { paper } = layoutOf(sheet, template, true)
  const { width } = sizeOf(paper)
  useLayoutEffect(() => {
    if (frame.current) setZoom(frame.current.clientWidth / ((width * INCH_PIXELS) / INCH_MM))
  }, [width])
  return (
    <div ref={frame} className={css.preview} role="img" aria-label="预览">
      <div style={{ zoom }}>
        <SampleSheet sheet={sheet} template={template} kind={Object.keys(sheet.kinds)[0]!} />
      </div>
    </div>
  )
}
