import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What axe finds serious on the page, or on a part of it, as it stands now, once nothing fades any more. */
export async function seriousOn(page: Page, within = 'html'): Promise<string[]> {
  await page.waitForLoadState('networkidle')
  // Colours that are still fading in are nobody's contrast.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(each => each.effect?.getTiming().iterations !== Infinity)
        .map(each => each.finished.catch(() => null)),
    ),
  )
  const { violations } = await new AxeBuilder({ page })
    .include(within)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa'])
    .analyze()
  return violations
    .filter(each => each.impact === 'serious' || each.impact === 'critical')
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.target.join(' ')}`))
}
