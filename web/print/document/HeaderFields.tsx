import type { PrintSheet } from '#kernel/print/print-definition.ts'
import type { Row } from '#web/fields/field-renderer.ts'
import { widthInEm } from '#web/print/document/text-width.ts'
import css from '#web/print/Print.module.css'

/** More characters than this need the room of two facts. */
const LONG = 20

/** What a sheet says at its head, line by line; what the paper does not say is left out. */
export function Facts({ of, info }: { readonly of: PrintSheet['header']; readonly info: Row }) {
  return (
    <dl className={css.facts}>
      {of
        .filter(([, name]) => (info[name] ?? '') !== '')
        .map(([label, name, called]) => {
          const said = `${called?.[String(info.kind)] ?? label}：`
          return (
            <div key={name} data-wide={widthInEm(said + String(info[name])) > LONG}>
              <dt>{said}</dt>
              <dd>{String(info[name])}</dd>
            </div>
          )
        })}
    </dl>
  )
}
