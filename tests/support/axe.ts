import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds serious on the page, or on a part of it, as it stands now, once nothing fades any more; by some rules or by all of WCAG 2.1 AA. */
export async function seriousOn(page: Page, within = 'html', rules?: string[]): Promise<string[]> {
  // Colours that are still fading in are nobody's contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(each => each.effect?.getTiming().iterations !== Infinity)
        .map(each => each.finished.catch(() => null)),
    ),
  )
  const found = await look(page, within, rules)
  if (found.length === 0) return found
  // A page half drawn is nobody's fault: what is found must stand.
  await page.waitForTimeout(SETTLED_MS)
  return look(page, within, rules)
}

const SETTLED_MS = 1500
/** Rows of a list are drawn alike: the first few stand for all. */
const ALIKE = 'tbody tr:nth-child(n + 7)'

async function look(page: Page, within: string, rules: string[] | undefined): Promise<string[]> {
  // No frames here: its findings need no second page to be put together on.
  // What it finds in order needs no address of each element: to name them takes longer than to judge them.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .include(within)
    .exclude(ALIKE)
  const chosen = rules === undefined ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa']) : axe.withRules(rules)
  const { violations } = await chosen.analyze()
  return violations
    .filter(each => each.impact === 'serious' || each.impact === 'critical')
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.target.join(' ')}`))
}
