import { afterEach, expect, it } from 'vitest'
import { fakeServer } from '#tests/support/page/server.ts'
import { router } from '#web/routes.tsx'

/** The address at which a person without a session arrives after opening an address. */
const arrivesAt = async (address: string) => {
  fakeServer('/', { org: 'D', operations: [], rights: [] }, {})
  await router.navigate(address)
  return router.state.location.pathname + router.state.location.search
}
afterEach(() => localStorage.clear())

it('an unknown path leads to /error for everybody, signed in or not', { timeout: 120_000 }, async () => {
  expect(await arrivesAt('/hospital/thereIsNoSuchPage')).toBe('/error')
  expect(await arrivesAt('/commonView/%zz')).toBe('/error')
  expect(await arrivesAt('/newprint/noSuchSheet')).toBe('/error')
  expect(await arrivesAt('/newprint/purchaseOrder?kind=noSuchKind')).toBe('/error')
  // A person who was signed in before is not asked for a password at an address that does not exist.
  localStorage.setItem('signed-in', '1')
  expect(await arrivesAt('/ptm')).toBe('/error')
})

it('a page that exists asks whoever is not signed in to sign in, and comes back to it', async () => {
  expect(await arrivesAt('/')).toBe('/Login')
  expect(await arrivesAt('/hospital/purchaseOrder')).toBe('/Login')
  localStorage.setItem('signed-in', '1')
  expect(await arrivesAt('/newprint/purchaseOrder?sn=CG1')).toBe(
    '/Login?redirect=%2Fnewprint%2FpurchaseOrder%3Fsn%3DCG1',
  )
  expect(await arrivesAt('/hospital/purchaseOrder/CG1')).toBe('/Login?redirect=%2Fhospital%2FpurchaseOrder%2FCG1')
})
