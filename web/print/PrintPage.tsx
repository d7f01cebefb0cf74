import { Navigate, useLocation, useSearchParams } from 'react-router'
import { LIST_PRINT } from '#web/print/list/list-print.ts'
import { sheetAt } from '#web/print/print-address.ts'
import PicturePrint from '#web/print/pictures/PicturePrint.tsx'
import { PICTURE_PRINT } from '#web/print/pictures/pictures.ts'
import { ListPrint } from '#web/print/list/ListPrint.tsx'
import { LabelPrint } from '#web/print/labels/LabelPrint.tsx'
import { labelSheetAt } from '#kernel/print/label-formats.ts'
import { parseInteger } from '#kernel/values/integer.ts'
import { LabelTrial } from '#web/print/labels/LabelPreview.tsx'
import { RowLabels } from '#web/print/labels/RowLabels.tsx'
import { TrialPrint } from '#web/print/templates/TemplateTestPrint.tsx'
import { DocumentPrint } from '#web/print/document/DocumentPrint.tsx'

const listOf = (text: string | null): readonly string[] => (text ?? '').split(',').filter(each => each !== '')

/** /newprint/…: printed sheets, without the shell. An unknown sheet is an unknown address. */
export default function PrintPage() {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  if (pathname === LIST_PRINT) return <ListPrint query={query} />
  if (pathname === PICTURE_PRINT) return <PicturePrint query={query} />
  const template = query.get('template') ?? ''
  const isTrial = query.get('trial') === 'true' && /^\d{1,18}$/.test(template)
  const labels = labelSheetAt(pathname)
  if (labels && isTrial) return <LabelTrial sheet={labels} template={template} />
  if (labels) return <LabelPrint sheet={labels} of={query.get('of')} keys={listOf(query.get('units'))} />
  const found = sheetAt(pathname, query.get('kind'))
  if (found === null) return <Navigate to="/error" replace />
  const { sheet, kind } = found
  if (isTrial) return <TrialPrint sheet={sheet} template={template} />
  const organisation = query.get('of_org_sn')
  const there = organisation === null ? {} : { of_org_sn: organisation }
  if (sheet.labels && query.get('as') === 'labels')
    return <RowLabels labels={sheet.labels} kind={kind} sns={listOf(query.get('sn'))} whose={there} />
  const from = query.get('source_org_sn')
  const whose = query.get('role') === 'counterparty' ? { role: 'counterparty', source_org_sn: from } : there
  return (
    <DocumentPrint
      sheet={sheet}
      kind={kind}
      sns={[...new Set(listOf(query.get('sn')))]}
      whose={whose}
      template={/^\d{1,18}$/.test(template) ? template : null}
      copies={/^[1-9]$/.test(query.get('copies') ?? '') ? parseInteger(query.get('copies')) : 1}
    />
  )
}
