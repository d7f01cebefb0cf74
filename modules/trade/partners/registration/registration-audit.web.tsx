import type { Customisation } from '#web/engine/customisation.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { Tag } from '#web/fields/Tag.tsx'
import { likenesses } from '#modules/trade/partners/organisations/organisation.web.tsx'
import css from '#modules/trade/partners/registration/registration-audit.module.css'

const tones = new Map(likenesses)

/** `名称（名称相同）；…` as written by the server: the name and what matches. */
const readSimilar = (text: string) =>
  text.split('；').map(part => {
    const found = /^(.*)（(信用代码相同|名称相同|手机号相同)）$/.exec(part)
    return { name: found?.[1] ?? part, why: found?.[2] ?? '' }
  })

/** Existing organisations the applicant may be, the most likely first, and what is unusual about the credit code. */
function Similar({ info }: { info: Row }) {
  const similar = typeof info.similar === 'string' && info.similar !== '' ? readSimilar(info.similar) : []
  if (similar.length === 0 && !info.code_hint) return null
  return (
    <section className={css.similar} aria-label="核对提示">
      {similar.map(({ name, why }) => (
        <p key={`${name}${why}`}>
          <Tag tone={tones.get(why) ?? 'neutral'}>{why}</Tag> {name}
        </p>
      ))}
      {typeof info.code_hint === 'string' && (
        <p>
          <Tag tone="info">信用代码</Tag> {info.code_hint}
        </p>
      )}
    </section>
  )
}

export const registrationLook: Customisation = { of: 'registrationAudit', heads: [Similar] }
