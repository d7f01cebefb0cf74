import { isGtin } from '#kernel/codes/check-digit.ts'
import { deviceIdentifier } from '#kernel/codes/device-identifier.ts'
import type { UdiPack } from '#modules/trade/catalogue/udi/udi-record.ts'

/** A stored packing level: how many sales units it holds in total and its height, or why it was not accepted. */
export type PackLevel = {
  readonly line_no: number
  readonly di: string
  readonly level_name: string | null
  readonly count: number | null
  readonly lower_di: string | null
  readonly base_count: number | null
  readonly depth: number | null
  readonly problem: string | null
}

const MOST = 100_000_000
const stored = (di: string | null): string | null => (di === null ? null : (deviceIdentifier(di)?.di ?? di))

type Read = { line: number; di: string; level: string | null; count: number | null; holds: string | null }

/** The fault of a level by itself, regardless of the levels below it; null if there is none. */
function wrongAlone(pack: Read, primary: string, all: readonly Read[]): string | null {
  if (pack.di === '') return '缺少包装产品标识'
  if (/^\d+$/.test(pack.di) && !isGtin(pack.di)) return '包装产品标识校验位错误'
  if (pack.di === primary) return '包装产品标识与最小销售单元的产品标识相同'
  if (all.some(other => other.di === pack.di && (other.holds !== pack.holds || other.count !== pack.count)))
    return '同一包装产品标识有两种内装，无法判断'
  if (pack.count === null) return '内装数量应为大于0的整数'
  if (pack.holds === null) return '缺少下一级包装的产品标识'
  if (pack.holds !== primary && !all.some(other => other.di === pack.holds))
    return `下一级${pack.holds}不在该产品的包装层级中`
  return null
}

/** Follows a level down to the sales unit: how many of these it holds, or what prevents the count. */
function measured(pack: Read, primary: string, all: readonly Read[]): { base: number; depth: number } | string {
  let [base, depth] = [1, 0]
  const passed = new Set<string>()
  for (let at: Read | undefined = pack; at; at = all.find(other => other.di === at!.holds)) {
    if (passed.has(at.di)) return `包装层级循环：${[...passed, at.di].join(' → ')}`
    passed.add(at.di)
    const wrong = wrongAlone(at, primary, all)
    if (wrong !== null) return at === pack ? wrong : `下一级${at.di}有问题，一并未采用`
    base *= at.count!
    depth++
    if (base > MOST) return '折合最小销售单元的数量过大'
    if (at.holds === primary) return { base, depth }
  }
  return '包装层级不完整'
}

/** The tree of packing levels above a sales unit. Contradictory levels are reported one by one and get no count. */
export function packLevels(primary: string, packs: readonly UdiPack[]): PackLevel[] {
  const seen = new Set<string>()
  const read = packs
    .map(
      (pack, index): Read => ({
        line: index + 1,
        di: stored(pack.di) ?? '',
        level: pack.level,
        count: pack.count,
        holds: stored(pack.holds),
      }),
    )
    .filter(pack => {
      const said = JSON.stringify([pack.di, pack.count, pack.holds])
      return !seen.has(said) && Boolean(seen.add(said))
    })
  return read.map(pack => {
    const found = measured(pack, primary, read)
    const taken = typeof found !== 'string'
    return {
      line_no: pack.line,
      di: pack.di,
      level_name: pack.level,
      count: pack.count,
      lower_di: pack.holds,
      base_count: taken ? found.base : null,
      depth: taken ? found.depth : null,
      problem: taken ? null : found,
    }
  })
}
