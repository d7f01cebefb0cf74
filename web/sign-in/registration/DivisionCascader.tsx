import { parseInteger } from '#kernel/values/integer.ts'
import { App, Cascader } from 'antd'
import { useEffect, useState } from 'react'
import { isSilent, sentenceOf } from '#web/engine/http/request-error.ts'
import { get } from '#web/engine/http/request.ts'

type Division = {
  readonly administrative_division_sn: string
  readonly name: string
  readonly is_leaf: boolean | number
}
type Choice = { value: string; label: string; isLeaf: boolean; children?: Choice[] }

/** Levels of a division: top, below a province, and below a city. */
const levels = ['province', 'city', 'county'] as const

async function below(level: number, parent: string | undefined): Promise<Choice[]> {
  const { list } = await get<unknown, Division>(
    `/v1/division/${levels[level]}`,
    { administrative_division_sn: parent },
    { bare: true },
  )
  return list.map(item => ({
    value: String(item.administrative_division_sn),
    label: item.name,
    isLeaf: level === levels.length - 1 || item.is_leaf === true || parseInteger(item.is_leaf) === 1,
  }))
}

/** Adds children to the division at the path. */
function placed(choices: readonly Choice[], path: readonly string[], children: Choice[]): Choice[] {
  const [first, ...rest] = path
  return choices.map(choice =>
    choice.value !== first
      ? choice
      : { ...choice, children: rest.length === 0 ? children : placed(choice.children ?? [], rest, children) },
  )
}

type Props = { id?: string; value?: string[]; onChange?: (path: string[]) => void }

/** Province, city, county: each level loads when its parent is opened. */
export function DivisionCascader({ id, value, onChange }: Props) {
  const { message } = App.useApp()
  const [choices, setChoices] = useState<Choice[]>([])
  const notify = (thrown: unknown) => void (!isSilent(thrown) && message.error(sentenceOf(thrown)))
  useEffect(() => {
    let here = true
    below(0, undefined).then(
      list => here && setChoices(list),
      thrown => here && !isSilent(thrown) && void message.error(sentenceOf(thrown)),
    )
    return () => {
      here = false
    }
  }, [message])
  return (
    <Cascader
      {...(id === undefined ? {} : { id })}
      {...(value === undefined ? {} : { value })}
      options={choices}
      placeholder="省 / 市 / 县（区）"
      style={{ width: '100%' }}
      onChange={path => onChange?.((path ?? []) as string[])}
      loadData={async selected => {
        const path = selected.map(choice => String(choice.value))
        try {
          const children = await below(path.length, path.at(-1))
          setChoices(before => placed(before, path, children))
        } catch (thrown) {
          notify(thrown)
        }
      }}
    />
  )
}
