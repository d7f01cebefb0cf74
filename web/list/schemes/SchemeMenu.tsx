import { DeleteOutlined, FilterOutlined, ShareAltOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { App, Button, Input, Popover, Tooltip } from 'antd'
import { useState } from 'react'
import type { Schemes } from '#web/list/schemes/use-schemes.ts'
import css from '#web/list/schemes/SchemeMenu.module.css'

const MOST_LETTERS = 20

type Props = {
  readonly schemes: Schemes
  /** The name of a scheme on this page. */
  readonly noun?: string
  readonly title?: string
}

/**
 * 方案: filters and columns under names of one's own; choose, save, delete, make one the default. Where schemes are
 * shared, those of colleagues are listed below one's own.
 */
export function SchemeMenu({ schemes, noun = '方案', title = '保存的筛选条件与列设置' }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      content={<SchemePanel schemes={schemes} noun={noun} onChosen={() => setOpen(false)} />}
      destroyOnHidden
    >
      <Button icon={<FilterOutlined />} className={css.button ?? ''} title={title}>
        {schemes.active?.title ?? (schemes.shares ? `保存${noun}` : noun)}
      </Button>
    </Popover>
  )
}

type PanelProps = { readonly schemes: Schemes; readonly noun: string; readonly onChosen: () => void }

function SchemePanel({ schemes, noun, onChosen }: PanelProps) {
  const { message } = App.useApp()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const wanted = name.trim()
  const isKnown = schemes.schemes.some(each => each.title === wanted)
  const save = async () => {
    if (wanted === '') return void message.warning(`请填写${noun}名称`)
    setBusy(true)
    const isSaved = await schemes.save(wanted)
    setBusy(false)
    if (!isSaved) return
    setName('')
    void message.success(`${noun}【${wanted}】已保存`)
  }
  return (
    <div className={css.panel}>
      {schemes.schemes.length === 0 ? (
        <p className={css.hint}>
          {schemes.shares
            ? `把当前的日期、筛选与指标存为${noun}，下次直接选用。`
            : '把当前的筛选条件与列设置存为方案，下次直接选用。'}
        </p>
      ) : (
        <ul className={css.list} aria-label={noun}>
          {schemes.schemes.map(scheme => (
            <li key={scheme.title} className={css.item}>
              <button
                type="button"
                className={css.name}
                aria-pressed={schemes.active === scheme}
                onClick={() => {
                  schemes.choose(scheme)
                  onChosen()
                }}
              >
                {scheme.title}
              </button>
              <Tooltip title={scheme.isDefault ? '取消默认' : '设为默认：打开本页时自动选用'} placement="left">
                <button
                  type="button"
                  className={css.act}
                  aria-pressed={scheme.isDefault === true}
                  aria-label={`默认${noun}${scheme.title}`}
                  onClick={() => void schemes.turnDefault(scheme.title)}
                >
                  {scheme.isDefault ? <StarFilled /> : <StarOutlined />}
                </button>
              </Tooltip>
              {schemes.shares && (
                <Tooltip title={scheme.isShared ? '取消共享' : '共享给本单位同事'} placement="left">
                  <button
                    type="button"
                    className={css.act}
                    aria-pressed={scheme.isShared === true}
                    aria-label={`共享${noun}${scheme.title}`}
                    onClick={() => void schemes.turnShared(scheme.title)}
                  >
                    <ShareAltOutlined />
                  </button>
                </Tooltip>
              )}
              <button
                type="button"
                className={css.act}
                aria-label={`删除${noun}${scheme.title}`}
                title="删除"
                onClick={() => void schemes.remove(scheme.title)}
              >
                <DeleteOutlined />
              </button>
            </li>
          ))}
        </ul>
      )}
      {schemes.shared.length > 0 && (
        <>
          <p className={css.hint}>同事共享</p>
          <ul className={css.list} aria-label={`同事共享的${noun}`}>
            {schemes.shared.map(scheme => (
              <li key={`${scheme.by} ${scheme.title}`} className={css.item}>
                <button
                  type="button"
                  className={css.name}
                  onClick={() => {
                    schemes.choose(scheme)
                    onChosen()
                  }}
                >
                  {scheme.title}（{scheme.by}）
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <form
        className={css.save}
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Input
          aria-label={`${noun}名称`}
          placeholder={`${noun}名称`}
          maxLength={MOST_LETTERS}
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <Button htmlType="submit" loading={busy}>
          {isKnown ? '覆盖' : '保存'}
        </Button>
      </form>
    </div>
  )
}
