import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { MultiSelect } from '@mantine/core'
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { US_STATES } from '../../../../contract/states.ts'
import { formatCountry } from '../../../ui/format-occasional.ts'
import type { GeoBlock } from './api.ts'
import { privacyTexts as texts } from './texts.ts'

const COUNTRIES = COUNTRY_CODES.map((value) => ({ value, label: formatCountry(value) })).sort((a, b) =>
  a.label.localeCompare(b.label),
)
const STATES = US_STATES.map(({ code, name }) => ({ value: code, label: name }))

type PlacePickersProps = { places: GeoBlock; onChange: (places: GeoBlock) => void }

/** Countries and states, each found by typing. */
export default function PlacePickers({ places, onChange }: PlacePickersProps) {
  const shared = {
    searchable: true,
    clearable: true,
    hidePickedOptions: true,
    // Above a phone’s keyboard.
    maxDropdownHeight: 'min(260px, 40dvh)',
    nothingFoundMessage: texts.noRegion,
  } as const
  return (
    <>
      <MultiSelect
        label={texts.countries}
        data={COUNTRIES}
        value={places.countries}
        onChange={(countries) => onChange({ ...places, countries })}
        clearButtonProps={{ 'aria-label': texts.removeCountries }}
        {...shared}
      />
      <MultiSelect
        label={texts.states}
        data={STATES}
        value={places.states}
        onChange={(states) => onChange({ ...places, states })}
        clearButtonProps={{ 'aria-label': texts.removeStates }}
        {...shared}
      />
    </>
  )
}
