import { lazy, Suspense } from 'react'
import type { Customisation } from '#web/engine/customisation.ts'
import type { InputProps } from '#web/fields/field-renderer.ts'
import { longTextFace } from '#web/fields/kinds/long-text.tsx'

// Loaded only for users who edit a licence.
const ScopeInput = lazy(() => import('#modules/trade/licences/archive/ScopeInput.tsx'))

const Scope = (props: InputProps) => (
  <Suspense fallback={<longTextFace.Input {...props} />}>
    <ScopeInput {...props} />
  </Suspense>
)

export const licenceLook: Customisation = { of: 'licence', inputs: { scope: Scope } }
