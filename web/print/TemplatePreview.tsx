import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { PrintSheet, PrintTemplate } from '#kernel/print.ts'
import { useSession } from '#web/engine/session.ts'
import type { Row } from '#web/fields/face.ts'
import { Contract } from '#web/print/Contract.tsx'
import { layoutOf, sizeOf } from '#web/print/paper.ts'
import { Paper } from '#web/print/Paper.tsx'
import css from '#web/print/Print.module.css'
import { sampleContract, samplePaper } from '#web/print/sample.ts'

/** A sheet under a template, filled with a sample. */
export function SampleSheet({ sheet, template, kind }: Shown & { readonly kind: string }) {
  const session = useSession()
  const layout = useMemo(
    () => layoutOf(sheet, template, sheet.unpriced?.includes(kind) !== true, null, kind),
    [sheet, template, kind],
  )
  const info = useMemo((): Row => {
    const paper = { ...samplePaper(sheet, kind, session?.orgName ?? ''), trial: true }
    return sheet.contract === undefined ? paper : sampleContract(sheet, paper, template.clauses ?? null)
  }, [sheet, kind, session, template])
  const Drawn = sheet.contract === undefined ? Paper : Contract
  return <Drawn sheet={sheet} layout={layout} info={info} times={0} />
}

const INCH_PIXELS = 96
const INCH_MM = 25.4

type Shown = { readonly sheet: PrintSheet; readonly template: PrintTemplate }

/** How the template in the form comes out, as wide as the form is. */
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
