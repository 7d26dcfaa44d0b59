import { editTexts } from '../../edit/texts.ts'
import { texts } from '../texts.ts'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { mediaErrors } from '../../../../../contract/errors/media.ts'
import { FLAG_NAMES, type Flags } from '../../../../../contract/visibility.ts'
import { useConfig } from '../../../../lib/config.ts'
import { Fold } from '../../../../ui/Fold.tsx'
import { AudienceField } from '../../edit/AudienceField.tsx'
import { audienceOf, audienceWith, flagsOf } from '../../edit/words.ts'
import { itemCount } from '../words.ts'
import { BulkForm, type BulkProps } from './BulkForm.tsx'
import styles from './BulkVisibility.module.css'
import { choicesOf, choose, type FlagChoices, flagsWith, turned } from './flags.ts'

const STATES = [
  { value: 'leave', label: texts.bulkVisibility.leave },
  { value: 'off', label: texts.bulkVisibility.off },
  { value: 'on', label: texts.bulkVisibility.on },
] as const

/** One of the common ways for all, or each flag turned or left as it is; and who can see them then (docs/product.md, Media). */
export function BulkVisibility({ items, ...told }: BulkProps) {
  const config = useConfig()
  return (
    <BulkForm
      items={items}
      {...told}
      initial={{ choices: [] as ReturnType<typeof choose> }}
      changeOf={({ choices }) => turned(choices)}
    >
      {(form) => (
        <Choices
          items={items}
          choices={form.values.choices}
          onChange={(choices) => form.set('choices', choices)}
          closed={config?.features.publishing === false}
        />
      )}
    </BulkForm>
  )
}

type ChoicesProps = {
  items: BulkProps['items']
  choices: ReturnType<typeof choose>
  onChange: (choices: ReturnType<typeof choose>) => void
  /** Nothing can be published now. */
  closed: boolean
}

function Choices({ items, choices, onChange, closed }: ChoicesProps) {
  const result = turned(choices)
  const nothing = Object.keys(result).length === 0
  const untitled = result.showInStore ? items.filter((media) => media.title === '').length : 0
  const along = FLAG_NAMES.filter(
    (name) => result[name] !== undefined && !choices.some(([chosen]) => chosen === name),
  )
  return (
    <>
      <AudienceField
        label={texts.bulkVisibility.who}
        value={isWhole(result) ? audienceWith(result) : null}
        onChange={(audience) => onChange(choicesOf(flagsOf(audience)))}
      />
      <Fold title={texts.bulkVisibility.advanced}>
        <div className={styles.flags}>
          {FLAG_NAMES.map((name) => (
            <FlagRow
              key={name}
              name={name}
              on={result[name]}
              count={items.filter((media) => media[name]).length}
              all={items.length}
              onChange={(on) => onChange(choose(choices, name, on))}
            />
          ))}
        </div>
      </Fold>
      <div className={styles.result} aria-live="polite">
        {along.length > 0 && <p className={styles.along}>{alongWords(along, result)}</p>}
        <p className={styles.heading}>
          {nothing ? texts.bulkVisibility.now : texts.bulkVisibility.afterwards}
        </p>
        <ul className={styles.audiences}>
          {audiences(items, result).map(([audience, count]) => (
            <li key={audience}>
              <strong>{itemCount(count)}:</strong> {audience}
            </li>
          ))}
        </ul>
      </div>
      {untitled > 0 && <p className={styles.closed}>{texts.bulkVisibility.untitled(untitled)}</p>}
      {closed && <p className={styles.closed}>{mediaErrors.publishing_closed.text}</p>}
    </>
  )
}

type FlagRowProps = {
  name: keyof Flags
  /** Undefined: left as it is. */
  on: boolean | undefined
  /** How many of how many items have it now. */
  count: number
  all: number
  onChange: (on: boolean | null) => void
}

function FlagRow({ name, on, count, all, onChange }: FlagRowProps) {
  const label = useId()
  const value = on === undefined ? 'leave' : on ? 'on' : 'off'
  return (
    <div className={styles.flag}>
      <div>
        <p id={label} className={styles.label}>
          {editTexts.flags[name].label}
        </p>
        <p className={styles.now}>{texts.bulkVisibility.onFor(count, all)}</p>
      </div>
      <SegmentedControl
        aria-labelledby={label}
        data={[...STATES]}
        value={value}
        onChange={(next) => onChange(next === 'leave' ? null : next === 'on')}
      />
    </div>
  )
}

function isWhole(choices: FlagChoices): choices is Flags {
  return FLAG_NAMES.every((name) => choices[name] !== undefined)
}

function alongWords(along: readonly (keyof Flags)[], result: FlagChoices): string {
  const listed = (on: boolean) =>
    along
      .filter((name) => result[name] === on)
      .map((name) => editTexts.flags[name].label)
      .join(', ')
  return [
    ...(listed(true) ? [editTexts.alsoOn(listed(true))] : []),
    ...(listed(false) ? [editTexts.alsoOff(listed(false))] : []),
  ].join(' ')
}

/** The audiences of the items with these choices, with their numbers, most first. */
function audiences(items: BulkProps['items'], choices: FlagChoices): [audience: string, count: number][] {
  const counts = new Map<string, number>()
  for (const media of items) {
    const audience = audienceOf(flagsWith(media, choices))
    counts.set(audience, (counts.get(audience) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)
}
