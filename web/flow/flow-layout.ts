import type { FlowStep } from '#kernel/definition/dashboard.ts'

export type Placed = {
  readonly step: FlowStep
  readonly column: number
  readonly row: number
  /** Kinds of the steps in view that lead to it; those out of view are passed through. */
  readonly after: readonly string[]
}

/** The steps that a user has, in the places of the chart; columns and rows that nobody sees are left out. */
export function placedSteps(steps: readonly FlowStep[], kinds: ReadonlySet<string>): readonly Placed[] {
  const shown = steps.filter(step => kinds.has(step.kind))
  const indexOf = (values: readonly number[]) => {
    const order = [...new Set(values)].toSorted((a, b) => a - b)
    return (value: number) => order.indexOf(value)
  }
  const [column, row] = [indexOf(shown.map(step => step.at[0])), indexOf(shown.map(step => step.at[1]))]
  const leading = (kind: string, seen: ReadonlySet<string>): readonly string[] =>
    (steps.find(step => step.kind === kind)?.after ?? []).flatMap(before =>
      seen.has(before) ? [] : kinds.has(before) ? [before] : leading(before, new Set([...seen, before])),
    )
  return shown.map(step => ({
    step,
    column: column(step.at[0]),
    row: row(step.at[1]),
    after: [...new Set(leading(step.kind, new Set([step.kind])))],
  }))
}

export type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
type Spot = Pick<Placed, 'column' | 'row'>

const OVER = 16

/** The line from one step to another: straight where they are neighbours, else around the steps between them. */
export function edgePath(from: Spot & { readonly box: Box }, to: Spot & { readonly box: Box }): string {
  const [a, b] = [from.box, to.box]
  const middle = ({ left, width }: Box) => left + width / 2
  const centre = ({ top, height }: Box) => top + height / 2
  if (from.column === to.column) {
    const isDown = from.row < to.row
    return `M ${middle(a)} ${isDown ? a.top + a.height : a.top} V ${isDown ? b.top : b.top + b.height}`
  }
  if (from.row === to.row && Math.abs(from.column - to.column) > 1)
    return `M ${middle(a)} ${a.top} V ${a.top - OVER} H ${middle(b) - OVER} V ${b.top}`
  const gap = b.left - (a.left + a.width)
  return from.row === to.row
    ? `M ${a.left + a.width} ${centre(a)} H ${b.left}`
    : `M ${a.left + a.width} ${centre(a)} H ${b.left - Math.max(gap / 2, 8)} V ${centre(b)} H ${b.left}`
}
