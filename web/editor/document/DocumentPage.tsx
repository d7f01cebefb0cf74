import { App } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { customPanels } from '#web/engine/customisation.ts'
import { type Query, usePage } from '#web/engine/page-context.ts'
import { usePreferences } from '#web/engine/session/preferences.ts'
import { useAct } from '#web/engine/actions/use-action.ts'
import { useCopy } from '#web/engine/actions/use-duplicate.ts'
import { Failed } from '#web/list/page/EmptyState.tsx'
import { HeaderForm } from '#web/editor/document/HeaderForm.tsx'
import { LinesPanel } from '#web/editor/lines/LinesPanel.tsx'
import { offersFor } from '#web/editor/document/document-actions.ts'
import { guardedDocument } from '#web/editor/document/guarded-document.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import { openPrint } from '#web/list/actions/PrintSelected.tsx'
import { sheetOf } from '#kernel/registry.ts'
import { DocumentHead } from '#web/editor/document/DocumentHeader.tsx'
import { Rail } from '#web/editor/document/DocumentSidebar.tsx'
import { PostingPreview } from '#web/editor/document/PostingPreview.tsx'
import { useDocument } from '#web/editor/document/use-document.ts'
import { useSaving } from '#web/editor/document/use-save.ts'
import { PageSkeleton } from '#web/shell/tabs/PageSkeleton.tsx'
import { useCanSeeField } from '#web/shell/menu/menu.ts'
import { NEW } from '#web/shell/menu/screen-index.ts'
import css from '#web/editor/Editor.module.css'

/** One document: viewed, edited and acted on in the same place. */
export default function EditorPage({ definition }: { definition: AnyDocument }) {
  const page = usePage()
  const { railFolded, headerFolded } = usePreferences()
  const sn = page.key === NEW ? null : page.key
  const doc = useDocument(definition, sn, whoseOf(page.query), page.screen.where)
  const { info, header, all, dirty } = doc
  const { save, saving } = useSaving(definition, doc)
  const { act, busy } = useAct(definition)
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
    if (outcome.done && name === 'del') return page.leave()
    if (!outcome.done && outcome.failure) doc.mark(outcome.failure.problems)
  }
  const onAct = (name: string) => {
    if (name === 'copy') return copy(info?.sn ?? '')
    if (name === 'print') return printDocument(definition, info)
    if (name.startsWith('/newprint/')) return openPrint(name, { kind: definition.kind, sn: info?.sn ?? '' })
    return offers.find(offer => offer.name === name)?.previews && info !== null && !dirty
      ? setPreviewing(name)
      : void doAct(name)
  }
  useShortcuts({
    save: () => editable && busy === null && !saving && void save(),
    submit: () => {
      // The rendered state may be slightly old; what was just typed counts.
      const now = offersFor(
        definition,
        info,
        guardedDocument(definition, info ?? {}, header, doc.lines.all()),
        knowsPrices,
      )
      const submit = now.find(offer => offer.name === 'submit')
      if (submit === undefined || busy !== null || saving) return
      if (submit.because === null) onAct('submit')
      else void message.warning(submit.because)
    },
  })
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
      />
      <div className={css.body} data-rail={showsRail}>
        <div className={css.main}>
          <section
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

/** The address says which of two documents with the same number is meant. */
const whoseOf = ({ role, source_org_sn }: Query): Query => ({
  ...(role === undefined ? {} : { role }),
  ...(source_org_sn === undefined ? {} : { source_org_sn }),
})

/** Ctrl+S and Ctrl+Enter. A page behind another has no effects, so no shortcuts. */
function useShortcuts({ save, submit }: { save: () => void; submit: () => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.isComposing || (event.key !== 's' && event.key !== 'Enter')) return
      event.preventDefault()
      // Commits what is still being typed in a cell or field.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      setTimeout(event.key === 's' ? save : submit)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
