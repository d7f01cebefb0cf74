import type { ModuleLook } from '#web/registry/contributions.ts'
import { signedLooks } from '#modules/hospital/signatures/signatures.web.tsx'

export const signaturesLook: ModuleLook = {
  customisations: signedLooks,
}
