import {
  ArrowLeftOutlined,
  CopyOutlined,
  DownOutlined,
  HistoryOutlined,
  LeftOutlined,
  RightOutlined,
} from '@ant-design/icons'
import { App, Button, Dropdown, Space, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { AnyDocument } from '#kernel/definition/document.ts'
import { sheetsBesides } from '#kernel/registry.ts'
import { lineLabelSheets } from '#web/list/actions/PrintSelected.tsx'
import { usePage } from '#web/engine/page-context.ts'
import { prefer, usePreferences } from '#web/engine/session/preferences.ts'
import { StateTag } from '#web/fields/StateTag.tsx'
import { BeginFollowUp } from '#web/editor/sources/CreateFollowUp.tsx'
import type { Offer } from '#web/editor/document/document-actions.ts'
import type { DocumentView } from '#web/editor/document/document-view.ts'
import type { Listed } from '#web/list/page/listed-documents.ts'
import type { Neighbours } from '#web/list/page/neighbours.ts'
import { StateSteps } from '#web/editor/document/StateSteps.tsx'
import css from '#web/editor/Editor.module.css'

type Props = {
  readonly definition: AnyDocument
  readonly info: DocumentView | null
  readonly offers: readonly Offer[]
  readonly editable: boolean
  readonly dirty: boolean
  readonly busy: string | null
  readonly onSave: () => void
  readonly onAct: (name: string) => void
  /** The documents before and after it in the list it was opened from. */
  readonly neighbours: Pick<Neighbours<Listed>, 'previous' | 'next'>
}

const keysOf: Readonly<Record<string, string>> = { submit: 'Ctrl+Enter', review: 'Ctrl+Shift+Enter' }

type NeighbourProps = { label: string; keys: string; icon: ReactNode; to: Listed | undefined }

/** The document beside this one, in its place; nothing where the list ends. */
function Neighbour({ label, keys, icon, to }: NeighbourProps) {
  const page = usePage()
  if (to === undefined) return null
  return (
    <Tooltip title={`${label}（${keys}）`}>
      <Button type="text" size="small" icon={icon} aria-label={label} onClick={() => page.leave(to.key, to.query)} />
    </Tooltip>
  )
}

/** The number of actions shown as buttons; the rest is behind 更多. */
const VISIBLE_BUTTONS = 2

/** Always visible: document number, state and actions. */
export function DocumentHead({ definition, info, offers, editable, dirty, busy, onSave, onAct, neighbours }: Props) {
  const page = usePage()
  const { message } = App.useApp()
  const { railFolded } = usePreferences()
  const seen = offers.filter(offer => offer.tone !== 'danger').slice(0, VISIBLE_BUTTONS)
  const more = [
    ...offers.filter(offer => !seen.includes(offer)),
    ...(info?.actions?.includes('print')
      ? [{ name: 'print', label: '打印', tone: undefined, because: null, previews: false } as const]
      : []),
    ...(info?.actions?.includes('print') && info.role === 'own'
      ? sheetsBesides(definition.kind)
          .filter(({ gathers }) => gathers === undefined)
          .map(
            ({ route, besides }) =>
              ({ name: route, label: besides!, tone: undefined, because: null, previews: false }) as const,
          )
      : []),
    ...(info?.actions?.includes('print') && info.role === 'own'
      ? lineLabelSheets(definition.kind).map(
          ({ route, name }) =>
            ({ name: route, label: `打印${name}`, tone: undefined, because: null, previews: false }) as const,
        )
      : []),
    ...(info?.actions?.includes('copy')
      ? [{ name: 'copy', label: '复制', tone: undefined, because: null, previews: false } as const]
      : []),
    ...(info?.actions?.includes('del')
      ? [{ name: 'del', label: '删除', tone: 'danger', because: null, previews: false } as const]
      : []),
  ]
  const copy = async (sn: string) => {
    await navigator.clipboard.writeText(sn).catch(() => undefined)
    void message.success(`已复制 ${sn}`, 1.5)
  }
  return (
    <header className={css.head}>
      <div className={css.headLine}>
        <Button type="text" icon={<ArrowLeftOutlined />} aria-label="返回列表" onClick={() => page.leave(null)} />
        <h1 className={css.title}>{page.screen.title}</h1>
        {info === null ? (
          <span className="faint">新增{definition.title}</span>
        ) : (
          <>
            <span className={`mono ${css.sn}`}>{info.sn}</span>
            <Tooltip title="复制单号">
              <Button
                type="text"
                size="small"
                icon={<CopyOutlined />}
                aria-label="复制单号"
                onClick={() => void copy(info.sn)}
              />
            </Tooltip>
            <Neighbour label="上一张" keys="Alt PageUp" icon={<LeftOutlined />} to={neighbours.previous} />
            <Neighbour label="下一张" keys="Alt PageDown" icon={<RightOutlined />} to={neighbours.next} />
            <StateTag definition={definition} state={info.state} named={info.state_name} row={info} />
            {typeof info.current_approvers === 'string' && info.state === 'submitted' && (
              <span className={css.note}>当前审批人：{info.current_approvers}</span>
            )}
            {info.role === 'counterparty' && <span className={css.note}>对方单据副本</span>}
            {typeof info.red_of_sn === 'string' && (
              <span className={css.note}>
                红冲{definition.title}，红冲自 {info.red_of_sn}
              </span>
            )}
          </>
        )}
        {dirty && <span className={css.unsaved}>未保存</span>}
        <span className={css.gap} />
        <Space size={8} className={css.headActions ?? ''}>
          {editable && (
            <Tooltip title="Ctrl+S">
              <Button
                type={dirty ? 'primary' : 'default'}
                loading={busy === 'save'}
                disabled={busy !== null}
                onClick={onSave}
              >
                保存
              </Button>
            </Tooltip>
          )}
          {seen.map(offer => (
            <Tooltip key={offer.name} title={offer.because ?? keysOf[offer.name] ?? ''}>
              <Button
                type={offer.tone === 'primary' && !(editable && dirty) ? 'primary' : 'default'}
                disabled={offer.because !== null || busy !== null}
                loading={busy === offer.name}
                onClick={() => onAct(offer.name)}
              >
                {offer.label}
              </Button>
            </Tooltip>
          ))}
          {more.length > 0 && (
            <Dropdown
              trigger={['click']}
              menu={{
                items: more.map(offer => ({
                  key: offer.name,
                  label: offer.label,
                  title: offer.because ?? '',
                  danger: offer.tone === 'danger',
                  disabled: offer.because !== null || busy !== null,
                })),
                onClick: ({ key }) => onAct(key),
              }}
            >
              <Button>
                更多 <DownOutlined />
              </Button>
            </Dropdown>
          )}
          {info !== null && <BeginFollowUp definition={definition} info={info} />}
          {info !== null && (
            <Tooltip title={railFolded ? '显示关联单据与历史' : '收起关联单据与历史'}>
              <Button
                icon={<HistoryOutlined />}
                aria-label="关联单据与历史"
                aria-pressed={!railFolded}
                onClick={() => prefer({ railFolded: !railFolded })}
              />
            </Tooltip>
          )}
        </Space>
      </div>
      {info !== null && <StateSteps definition={definition} info={info} />}
    </header>
  )
}
