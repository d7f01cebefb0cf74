import { PAD, pathOf, type Stroke } from '#kernel/values/strokes.ts'
import css from '#web/fields/DrawnSignature.module.css'

/** The strokes of a signature, in the units of its pad. */
export const Ink = ({ strokes }: { readonly strokes: readonly Stroke[] }) => (
  <path className={css.ink} d={pathOf(strokes)} />
)

type Props = { readonly strokes: readonly Stroke[]; readonly name: string }

/** A signature as it was drawn, on the page and printed. */
export const DrawnSignature = ({ strokes, name }: Props) => (
  <svg role="img" aria-label={`${name}的手写签名`} className={css.drawn} viewBox={`0 0 ${PAD.width} ${PAD.height}`}>
    <Ink strokes={strokes} />
  </svg>
)
