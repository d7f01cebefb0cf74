import { App } from 'antd'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { customPanels } from '#web/engine/customisation.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { usePreferences } from '#web/engine/session/preferences.ts'
import { useShortcuts } from '#web/engine/shortcuts.ts'
import { useAct } from '#web/engine/actions/use-action.ts'
import { useCopy } from '#web/engine/actions/use-duplicate.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { HeaderForm } from '#web/editor/document/HeaderForm.tsx'
import { useNeighbours } from '#web/list/page/listed-documents.ts'
import { LinesPanel } from '#web/editor/lines/LinesPanel.tsx'
import { offersFor } from '#web/editor/document/document-actions.ts'
import { guardedDocument } from '#web/editor/document/guarded-document.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { openPrint } from '#web/list/actions/PrintSelected.tsx'
import { labelSheetAt } from '#kernel/print/label-formats.ts'
import { sheetOf } from '#kernel/registry.ts'
import { DocumentHead } from '#web/editor/document/DocumentHeader.tsx'
import { Rail } from '#web/editor/document/DocumentSidebar.tsx'
import { PostingPreview } from '#web/editor/document/PostingPreview.tsx'
import { type OpenDocument, useDocument } from '#web/editor/document/use-document.ts'
import { useSaving } from '#web/editor/document/use-save.ts'
import { PageSkeleton } from '#web/shell/tabs/PageSkeleton.tsx'
import { useCanSeeField, useMay } from '#web/shell/menu/menu.ts'
import { newValuesOf } from '#web/list/page/list-query.ts'
import { NEW } from '#web/shell/menu/screen-index.ts'
import css from '#web/editor/Editor.module.css'

/** One document: viewed, edited and acted on in the same place. */
export default function EditorPage({ definition }: { definition: AnyDocument }) {
  const page = usePage()
  const { railFolded, headerFolded } = usePreferences()
  const sn = page.key === NEW ? null : page.key
  const doc = useDocument(definition, sn, whoseOf(page.query), { ...page.screen.where, ...newValuesOf(page.query) })
  const { info, header, all, dirty } = doc
  const { save, saving } = useSaving(definition, doc)
  const { act, busy } = useAct(definition, doc.refused)
  const may = useMay(page.screen.route, definition.kind)
  const { previous, next } = useNeighbours(page.screen.route, sn)
  const copy = useCopy(definition)
  const { message } = App.useApp()
  const [previewing, setPreviewing] = useState<string | null>(null)
  const editable = sn === null || info?.actions?.includes('edit') === true
  const knowsPrices = useCanSeeField()({ as: 'price' })
  const offers = useMemo(
    () => offersFor(definition, info, guardedDocument(definition, info ?? {}, header, all), knowsPrices),
    [definition, info, header, all, knowsPrices],
  )
  useEffect(() => page.setDirty(dirty), [page, dirty])

  const doAct = async (name: string) => {
    if (doc.held.current !== null) return void message.warning(doc.held.current)
    const known = doc.standing()
    const standing = dirty || known === null ? await save(true) : known
    if (standing === null) return
    const outcome = await act(name, standing, header)
    setPreviewing(null)
    if (outcome.done && name === 'del') page.leave()
  }
  const onAct = (name: string) => {
    if (name === 'copy') return copy(info?.sn ?? '')
    if (name === 'print') return printDocument(definition, info)
    if (labelSheetAt(name)) return openPrint(name, { of: definition.kind, units: info?.sn ?? '' })
    if (name.startsWith('/newprint/')) return openPrint(name, { kind: definition.kind, sn: info?.sn ?? '' })
    return offers.find(offer => offer.name === name)?.previews && info !== null && !dirty
      ? setPreviewing(name)
      : void doAct(name)
  }
  /** An action by its key. */
  const byKey = (name: string) => {
    // The rendered state may be slightly old; what was just typed counts.
    const now = guardedDocument(definition, info ?? {}, header, doc.lines.all())
    const offer = offersFor(definition, info, now, knowsPrices).find(each => each.name === name)
    if (offer === undefined || busy !== null || saving) return
    if (offer.because === null) return onAct(name)
    doc.refusedHere(offer.because)
    void message.warning(offer.because)
  }
  const offered = (name: string) => offers.find(offer => offer.name === name)
  const [submit, review] = [offered('submit'), offered('review')]
  const canAdd = may('add') && definition.lifecycle.manualEntry !== false
  useShortcuts('单据', [
    ...(editable ? [{ keys: 'Ctrl S', what: '保存', run: () => busy === null && !saving && void save() }] : []),
    ...(submit ? [{ keys: 'Ctrl Enter', what: submit.label, run: () => byKey('submit') }] : []),
    ...(review ? [{ keys: 'Ctrl Shift Enter', what: review.label, run: () => byKey('review') }] : []),
    ...(canAdd ? [{ keys: 'Alt N', what: `新增${definition.title}`, run: () => page.open(NEW) }] : []),
    ...(previous ? [{ keys: 'Alt PageUp', what: '上一张', run: () => page.leave(previous.key, previous.query) }] : []),
    ...(next ? [{ keys: 'Alt PageDown', what: '下一张', run: () => page.leave(next.key, next.query) }] : []),
  ])
  const form = useFirstField(sn === null && definition.lifecycle.manualEntry !== false)
  useFirstProblem(form, doc)
  if (sn !== null && doc.asked.isError && info === null)
    return (
      <div className={css.failed}>
        <Failed thrown={doc.asked.error} onRetry={() => void doc.asked.refetch()} />
      </div>
    )
  if (sn !== null && info === null) return <PageSkeleton />
  const showsRail = info !== null && !railFolded
  return (
    <article className={css.page}>
      <DocumentHead
        definition={definition}
        info={info}
        offers={offers}
        editable={editable}
        dirty={dirty}
        busy={saving ? 'save' : busy}
        onSave={() => void save()}
        onAct={onAct}
        neighbours={{ previous, next }}
      />
      <div className={css.body} data-rail={showsRail}>
        <div className={css.main}>
          <section
            ref={form}
            className={css.card}
            aria-label="单据信息"
            hidden={headerFolded && Object.keys(doc.problems).length === 0}
          >
            <HeaderForm
              definition={definition}
              header={header}
              problems={doc.problems}
              locked={!editable}
              isCold={all.some(({ values }) => values.is_cold_chain === true)}
              onWrite={doc.write}
            />
          </section>
          {info !== null && customPanels(definition.kind).map((Panel, at) => <Panel key={at} info={info} />)}
          <LinesPanel definition={definition} document={doc} locked={!editable} />
        </div>
        {showsRail && <Rail definition={definition} info={info} />}
      </div>
      {previewing !== null && info !== null && (
        <PostingPreview
          definition={definition}
          action={previewing}
          sn={info.sn}
          version={info.version}
          busy={busy !== null}
          onGo={() => void doAct(previewing)}
          onClose={() => setPreviewing(null)}
        />
      )}
    </article>
  )
}

/** Opens the document's print page in a new window. */
function printDocument({ kind }: AnyDocument, info: DocumentView | null): void {
  const sheet = sheetOf(kind)
  if (sheet === undefined || info === null) return
  const whose = info.role === 'counterparty' ? { role: 'counterparty', source_org_sn: String(info.org_sn) } : {}
  openPrint(sheet.route, { kind, sn: info.sn, ...whose })
}

/** The address names the owner, to distinguish two documents with the same number. */
const whoseOf = ({ role, source_org_sn }: Query): Query => ({
  ...(role === undefined ? {} : { role }),
  ...(source_org_sn === undefined ? {} : { source_org_sn }),
})

/** The form of the header; a new document begins in its first field. */
function useFirstField(isNew: boolean) {
  const form = useRef<HTMLElement>(null)
  const done = useRef(!isNew)
  useEffect(() => {
    if (done.current) return
    done.current = true
    focusFirst(form.current)
  }, [])
  return form
}
const focusFirst = (within: Element | null | undefined) =>
  within?.querySelector<HTMLElement>('input:not([disabled],[readonly],[type=hidden]),textarea')?.focus()

/**
 * Scrolls to the problem after a refusal: to the first marked field of the header, else the grid shows its first marked
 * cell.
 */
function useFirstProblem(form: RefObject<HTMLElement | null>, { revealed, problems }: OpenDocument) {
  const first = Object.keys(problems)[0]
  const show = useEffectEvent(() => {
    const field = first === undefined ? null : form.current?.querySelector(`[data-field="${CSS.escape(first)}"]`)
    field?.scrollIntoView?.({ block: 'center' })
    focusFirst(field)
  })
  useEffect(() => {
    if (revealed > 0) show()
  }, [revealed])
}
