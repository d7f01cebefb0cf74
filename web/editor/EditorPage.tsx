import { App } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import type { AnyDocument } from '#kernel/document.ts'
import { customPanels } from '#web/engine/customise.ts'
import { type Query, usePage } from '#web/engine/page.ts'
import { usePreferences } from '#web/engine/preferences.ts'
import { useAct } from '#web/engine/use-act.ts'
import { useCopy } from '#web/engine/use-copy.ts'
import { Failed } from '#web/list/Blank.tsx'
import { HeaderForm } from '#web/editor/HeaderForm.tsx'
import { LinesPanel } from '#web/editor/LinesPanel.tsx'
import { offersFor } from '#web/editor/paper-actions.ts'
import { judgedPaper } from '#web/editor/judged-paper.ts'
import type { PaperInfo } from '#web/editor/paper.ts'
import { openPrint } from '#web/list/PrintChosen.tsx'
import { sheetOf } from '#kernel/registry.ts'
import { PaperHead } from '#web/editor/PaperHead.tsx'
import { Rail } from '#web/editor/Rail.tsx'
import { RehearsalDrawer } from '#web/editor/RehearsalDrawer.tsx'
import { usePaper } from '#web/editor/use-paper.ts'
import { useSaving } from '#web/editor/use-saving.ts'
import { PageSkeleton } from '#web/shell/PageSkeleton.tsx'
import { useTold } from '#web/shell/menu.ts'
import { NEW } from '#web/shell/screen-index.ts'
import css from '#web/editor/Editor.module.css'

/** One paper: read, written and acted on in the same place. */
export default function EditorPage({ definition }: { definition: AnyDocument }) {
  const page = usePage()
  const { railFolded, headerFolded } = usePreferences()
  const sn = page.key === NEW ? null : page.key
  const paper = usePaper(definition, sn, whoseOf(page.query), page.screen.where)
  const { info, header, all, dirty } = paper
  const { save, saving } = useSaving(definition, paper)
  const { act, busy } = useAct(definition)
  const copy = useCopy(definition)
  const { message } = App.useApp()
  const [rehearsing, setRehearsing] = useState<string | null>(null)
  const editable = sn === null || info?.actions?.includes('edit') === true
  const knowsPrices = useTold()({ as: 'price' })
  const offers = useMemo(
    () => offersFor(definition, info, judgedPaper(definition, info ?? {}, header, all), knowsPrices),
    [definition, info, header, all, knowsPrices],
  )
  useEffect(() => page.setDirty(dirty), [page, dirty])

  const doAct = async (name: string) => {
    if (paper.held.current !== null) return void message.warning(paper.held.current)
    const known = paper.standing()
    const standing = dirty || known === null ? await save(true) : known
    if (standing === null) return
    const outcome = await act(name, standing, header)
    setRehearsing(null)
    if (outcome.done && name === 'del') return page.leave()
    if (!outcome.done && outcome.failure) paper.mark(outcome.failure.problems)
  }
  const onAct = (name: string) => {
    if (name === 'copy') return copy(info?.sn ?? '')
    if (name === 'print') return printPaper(definition, info)
    if (name.startsWith('/newprint/')) return openPrint(name, { kind: definition.kind, sn: info?.sn ?? '' })
    return offers.find(offer => offer.name === name)?.rehearses && info !== null && !dirty
      ? setRehearsing(name)
      : void doAct(name)
  }
  useShortcuts({
    save: () => editable && busy === null && !saving && void save(),
    submit: () => {
      // What is drawn may be a moment old; what was just typed counts.
      const now = offersFor(
        definition,
        info,
        judgedPaper(definition, info ?? {}, header, paper.lines.all()),
        knowsPrices,
      )
      const submit = now.find(offer => offer.name === 'submit')
      if (submit === undefined || busy !== null || saving) return
      if (submit.because === null) onAct('submit')
      else void message.warning(submit.because)
    },
  })
  if (sn !== null && paper.asked.isError && info === null)
    return (
      <div className={css.failed}>
        <Failed thrown={paper.asked.error} onRetry={() => void paper.asked.refetch()} />
      </div>
    )
  if (sn !== null && info === null) return <PageSkeleton />
  const showsRail = info !== null && !railFolded
  return (
    <article className={css.page}>
      <PaperHead
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
            hidden={headerFolded && Object.keys(paper.problems).length === 0}
          >
            <HeaderForm
              definition={definition}
              header={header}
              problems={paper.problems}
              locked={!editable}
              isCold={all.some(({ values }) => values.is_cold_chain === true)}
              onWrite={paper.write}
            />
          </section>
          {info !== null && customPanels(definition.kind).map((Panel, at) => <Panel key={at} info={info} />)}
          <LinesPanel definition={definition} paper={paper} locked={!editable} />
        </div>
        {showsRail && <Rail definition={definition} info={info} />}
      </div>
      {rehearsing !== null && info !== null && (
        <RehearsalDrawer
          definition={definition}
          action={rehearsing}
          sn={info.sn}
          version={info.version}
          busy={busy !== null}
          onGo={() => void doAct(rehearsing)}
          onClose={() => setRehearsing(null)}
        />
      )}
    </article>
  )
}

/** The paper's sheet, in a window of its own. */
function printPaper({ kind }: AnyDocument, info: PaperInfo | null): void {
  const sheet = sheetOf(kind)
  if (sheet === undefined || info === null) return
  const whose = info.role === 'counterparty' ? { role: 'counterparty', source_org_sn: String(info.org_sn) } : {}
  openPrint(sheet.route, { kind, sn: info.sn, ...whose })
}

/** Which of two papers with one number is meant, as the address says. */
const whoseOf = ({ role, source_org_sn }: Query): Query => ({
  ...(role === undefined ? {} : { role }),
  ...(source_org_sn === undefined ? {} : { source_org_sn }),
})

/** Ctrl+S and Ctrl+Enter. A page behind another has no effects, and so no keys. */
function useShortcuts({ save, submit }: { save: () => void; submit: () => void }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.isComposing || (event.key !== 's' && event.key !== 'Enter')) return
      event.preventDefault()
      // What is still being typed in a cell or field counts.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      setTimeout(event.key === 's' ? save : submit)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
