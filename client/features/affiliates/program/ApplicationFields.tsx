import { shareCents } from '../../../../contract/commissions.ts'
import { formatMoney } from '../../../../contract/money.ts'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatNumber, withCents } from '../../../ui/format.ts'
import { readNumber } from '../../../ui/format-occasional.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import type { Application } from './api.ts'
import styles from './program.module.css'
import { programTexts as texts } from './texts.ts'

/** The fields of an operator's decision, as typed. */
export type Terms = { subscribers: string; moderator: string; restrictions: string; reason: string }

/** Another operator's proposal; else the forum's own count, which comes before the stated one. */
export const termsOf = ({ proposal, knownSubscribers, subscribers }: Application): Terms => ({
  subscribers: formatNumber(proposal?.subscribers ?? knownSubscribers ?? subscribers),
  moderator: proposal?.moderator?.username ?? '',
  restrictions: proposal?.restrictions ?? '',
  reason: '',
})

type FieldsProps = { name: string; terms: Terms; onChange: (terms: Terms) => void }

/** The details of a decision about one application, besides yes and no. */
export function ApplicationFields({ name, terms, onChange }: FieldsProps) {
  const counted = readNumber(terms.subscribers)
  const field = (key: keyof Terms) => ({
    value: terms[key],
    autoComplete: 'off' as const,
    onChange: (value: string) => onChange({ ...terms, [key]: value }),
  })
  return (
    <fieldset className={styles.fields}>
      <legend>
        <Hidden>{name}</Hidden>
      </legend>
      <TextField
        label={texts.subscribers}
        description={
          counted > 0 ? texts.pays(withCents(formatMoney(shareCents(counted)))) : texts.subscribersHint
        }
        inputMode="numeric"
        {...field('subscribers')}
      />
      <TextField label={texts.moderator} description={texts.moderatorHint} {...field('moderator')} />
      <TextField label={texts.restrictions} description={texts.restrictionsHint} {...field('restrictions')} />
      <TextField label={texts.reason} description={texts.reasonHint} {...field('reason')} />
    </fieldset>
  )
}
