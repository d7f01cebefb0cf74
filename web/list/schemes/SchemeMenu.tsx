import { DeleteOutlined, FilterOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { App, Button, Input, Popover, Tooltip } from 'antd'
import { useState } from 'react'
import type { Schemes } from '#web/list/schemes/use-schemes.ts'
import css from '#web/list/schemes/SchemeMenu.module.css'

const MOST_LETTERS = 20

/** 方案: filters and columns under names of one's own; choose, save, delete, make one the default. */
export function SchemeMenu({ schemes }: { readonly schemes: Schemes }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      content={<SchemePanel schemes={schemes} onChosen={() => setOpen(false)} />}
      destroyOnHidden
    >
      <Button icon={<FilterOutlined />} className={css.button ?? ''} title="保存的筛选条件与列设置">
        {schemes.active?.title ?? '方案'}
      </Button>
    </Popover>
  )
}

function SchemePanel({ schemes, onChosen }: { readonly schemes: Schemes; readonly onChosen: () => void }) {
  const { message } = App.useApp()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const wanted = name.trim()
  const isKnown = schemes.schemes.some(each => each.title === wanted)
  const save = async () => {
    if (wanted === '') return void message.warning('请填写方案名称')
    setBusy(true)
    const isSaved = await schemes.save(wanted)
    setBusy(false)
    if (!isSaved) return
    setName('')
    void message.success(`方案【${wanted}】已保存`)
  }
  return (
    <div className={css.panel}>
      {schemes.schemes.length === 0 ? (
        <p className={css.hint}>把当前的筛选条件与列设置存为方案，下次直接选用。</p>
      ) : (
        <ul className={css.list} aria-label="方案">
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
                  aria-label={`默认方案${scheme.title}`}
                  onClick={() => void schemes.turnDefault(scheme.title)}
                >
                  {scheme.isDefault ? <StarFilled /> : <StarOutlined />}
                </button>
              </Tooltip>
              <button
                type="button"
                className={css.act}
                aria-label={`删除方案${scheme.title}`}
                title="删除"
                onClick={() => void schemes.remove(scheme.title)}
              >
                <DeleteOutlined />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className={css.save}
        onSubmit={event => {
          event.preventDefault()
          void save()
        }}
      >
        <Input
          aria-label="方案名称"
          placeholder="方案名称"
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
