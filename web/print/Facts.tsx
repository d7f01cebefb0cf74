import type { PrintSheet } from '#kernel/print.ts'
import type { Row } from '#web/fields/face.ts'
import css from '#web/print/Print.module.css'

/** What a sheet says at its head, line by line; what the paper does not say is left out. */
export function Facts({ of, info }: { readonly of: PrintSheet['header']; readonly info: Row }) {
  return (
    <dl className={css.facts}>
      {of
        .filter(([, name]) => (info[name] ?? '') !== '')
        .map(([label, name]) => (
          <div key={name}>
            <dt>{label}：</dt>
            <dd>{String(info[name])}</dd>
          </div>
        ))}
    </dl>
  )
}
