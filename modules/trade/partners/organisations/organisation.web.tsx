import { parseInteger } from '#kernel/values/integer.ts'
import { Space } from 'antd'
import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Tag, type Tone } from '#web/fields/Tag.tsx'

/** The words for how likely an existing organisation is the one registering: the matching field, and its tag colour. */
export const likenesses: readonly (readonly [word: string, tone: Tone])[] = [
  ['信用代码相同', 'danger'],
  ['名称相同', 'warning'],
  ['手机号相同', 'info'],
  ['名称相近', 'neutral'],
]

/** An organisation in a picker: beside its name, on request, what matches the registration. */
function OrganisationOption({ row }: { row: Row }) {
  const [word, tone] = likenesses[parseInteger(row.likeness ?? 0) - 1] ?? []
  if (word === undefined) return <>{String(row.name ?? '')}</>
  return (
    <Space>
      {String(row.name ?? '')}
      <span className="mono faint">{String(row.social_credit_code ?? '')}</span>
      <Tag tone={tone ?? 'neutral'}>{word}</Tag>
    </Space>
  )
}

export const organisationLook: Customisation = {
  of: 'organisation',
  option: row => <OrganisationOption row={row} />,
}
