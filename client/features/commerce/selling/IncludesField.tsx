import type { Includes } from '../../../../contract/subscriptions.ts'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { includesTexts as texts } from './texts.ts'

type IncludesFieldProps = { value: Includes; onChange: (value: Includes) => void }

/** Whether a subscription includes all locked media or chosen items. */
export function IncludesField({ value, onChange }: IncludesFieldProps) {
  return (
    <ChoiceField
      label={texts.label}
      choices={[
        { value: 'allLocked', label: texts.allLocked, description: texts.allLockedHint },
        { value: 'chosen', label: texts.chosen, description: texts.chosenHint },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}
