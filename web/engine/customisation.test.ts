import { expect, test } from 'vitest'
import { customAbove, customInput, customPanels, takeCustomisations } from '#web/engine/customisation.ts'

const [Wristband, Signature, Panel, Notice] = [() => null, () => null, () => null, () => null]

test('what several modules add to one kind stands side by side', () => {
  takeCustomisations([
    { of: 'useOfOperation', inputs: { patient_no: Wristband }, above: [Notice] },
    { of: 'issueToWard', inputs: { signature_sn: Signature } },
    { of: 'useOfOperation', inputs: { signature_sn: Signature }, panels: [Panel] },
  ])
  expect(customInput('useOfOperation', 'patient_no')).toBe(Wristband)
  expect(customInput('useOfOperation', 'signature_sn')).toBe(Signature)
  expect(customPanels('useOfOperation')).toEqual([Panel])
  expect(customAbove('useOfOperation')).toEqual([Notice])
  expect(customInput('issueToWard', 'patient_no')).toBeUndefined()
})
