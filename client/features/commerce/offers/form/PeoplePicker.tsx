import { PeopleField, type Picked } from '../../../profiles/parts/people/PeopleField.tsx'
import { formTexts as texts } from '../texts.ts'
import styles from './OfferForm.module.css'

type PeoplePickerProps = { value: Picked[]; onChange: (people: Picked[]) => void; error: string | undefined }

/** Everyone, or picked people: picking one turns everyone off, removing the last turns it on again. */
export function PeoplePicker(props: PeoplePickerProps) {
  const { value, onChange } = props
  return (
    <PeopleField legend={texts.people} nobody={texts.noPeople} {...props}>
      <label className={styles.everyone}>
        <input type="checkbox" checked={value.length === 0} onChange={() => onChange([])} />
        {texts.everyone}
      </label>
    </PeopleField>
  )
}
