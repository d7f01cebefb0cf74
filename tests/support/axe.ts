import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Waits until a page shows what it has: no skeleton, which scrolls and has nothing focusable in it. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1:visible').waitFor()
  await page.locator('main [class*="_layer_"] :is(a[href], button, input):visible').first().waitFor()
  await page.locator('[aria-busy="true"]:visible, .ant-skeleton-active:visible').first().waitFor({ state: 'detached' })
}

/**
 * The serious axe findings on the page or part of it, after all fades have ended; for some rules or all of WCAG 2.2
 * AA.
 */
export async function seriousOn(page: Page, within = 'html', rules?: string[]): Promise<string[]> {
  // Colours still fading in would give false contrast findings.
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
  // A half-rendered page is not a failure: a finding must persist.
  await page.waitForTimeout(SETTLED_MS)
  return look(page, within, rules)
}

/** What people are to press or fill in, and who cannot see it hears in English. */
export const namedInEnglish = (page: Page, within: string): Promise<string[]> =>
  page
    .locator(`${within} :is(button, input, textarea, a):is([aria-label], [title], [placeholder])`)
    .evaluateAll(each =>
      each
        .flatMap(one => ['aria-label', 'title', 'placeholder'].map(name => one.getAttribute(name) ?? ''))
        .filter(name => /^[A-Za-z][A-Za-z ,.-]{2,}$/.test(name)),
    )

const SETTLED_MS = 1500
/** Rows of a list render alike: the first few represent all. */
const ALIKE = 'tbody tr:nth-child(n + 7)'

async function look(page: Page, within: string, rules: string[] | undefined): Promise<string[]> {
  // There are no frames, so findings need no second page to be merged on. Passed checks need no selectors: computing
  // those takes longer than the checks.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } })
    .include(within)
    .exclude(ALIKE)
  const chosen =
    rules === undefined ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']) : axe.withRules(rules)
  const { violations } = await chosen.analyze()
  return violations
    .filter(each => each.impact === 'serious' || each.impact === 'critical')
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.target.join(' ')}`))
}
