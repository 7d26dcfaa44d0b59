import { PRICE_NOTICE_DAYS } from '../../../../contract/subscriptions.ts'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { raiseTexts as texts } from './texts.ts'

type RaiseFieldProps = { ask: boolean; onChange: (ask: boolean) => void }

/** The payers of a higher price: new subscribers alone, or also present ones who agree to it. */
export function RaiseField({ ask, onChange }: RaiseFieldProps) {
  return (
    <ChoiceField
      label={texts.label}
      choices={[
        { value: 'new', label: texts.newOnly, description: texts.newOnlyHint },
        { value: 'ask', label: texts.ask, description: texts.askHint(PRICE_NOTICE_DAYS) },
      ]}
      value={ask ? 'ask' : 'new'}
      onChange={(value) => onChange(value === 'ask')}
    />
  )
}
