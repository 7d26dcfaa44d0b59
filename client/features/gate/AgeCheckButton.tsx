import { errorMessage } from '../../lib/api.ts'
import { useConfig } from '../../lib/config.ts'
import { Button } from '../../ui/core/Button.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { useAgeCheck } from './api.ts'
import { ageCheckTexts } from './texts.ts'

/** Leads to the age check of the provider; nothing while none is set up. */
export function AgeCheckButton({ children = ageCheckTexts.verify }: { children?: string }) {
  const config = useConfig()
  const check = useAgeCheck()
  if (!config?.features.ageCheck) return null
  return (
    <div>
      {/* Stays busy until the provider's page is there. */}
      <Button onClick={() => check.mutate()} loading={check.isPending || check.isSuccess}>
        {children}
      </Button>
      <FormError>{check.error ? errorMessage(check.error) : null}</FormError>
    </div>
  )
}
