import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldGroup } from '../../../ui/FieldGroup.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { listsQuery } from '../lists/api.ts'
import { verificationLabel } from '../parts/label-texts.ts'
import { tagsQuery } from '../subreddits/api.ts'
import { CHOICES } from '../subreddits/filter.ts'
import { filterTexts as ruleTexts } from '../subreddits/texts.ts'
import { useFreshTracked } from './api.ts'
import { activeCount, type PickerFiltersProps, RULES, VERIFICATIONS, withTagTurned } from './filter.ts'
import styles from './picker.module.css'
import { pickerTexts, filterTexts as texts } from './texts.ts'

const RULE_NAMES = ruleTexts.names
/** The names of each rule's answers. */
const ANSWERS: Readonly<Record<(typeof RULES)[number], Readonly<Record<string, string>>>> = {
  sellingAccountsAllowed: ruleTexts.yesOrNo,
  ocSettings: ruleTexts.oc,
  malesAllowed: ruleTexts.answers,
  womenOnly: ruleTexts.answers,
  couplesOnly: ruleTexts.yesOrNo,
  boyAndGirlRequired: ruleTexts.yesOrNo,
}

const ListsDialog = lazyPart(() => import('../lists/ListsDialog.tsx').then((module) => module.ListsDialog))

/** The filters by rules, tags in and out, and lists that are left out. */
export function MoreFilters({ filter, onChange }: PickerFiltersProps) {
  const active = activeCount(filter)
  return (
    <>
      <div className={styles.rules}>
        <SelectField
          label={texts.verification}
          value={filter.verification ?? ''}
          choices={[
            { value: '', label: texts.anyVerification },
            ...VERIFICATIONS.map((value) => ({ value, label: verificationLabel[value] })),
          ]}
          onChange={(value) => onChange({ verification: VERIFICATIONS.find((one) => one === value) ?? null })}
        />
        {RULES.map((rule) => (
          <SelectField
            key={rule}
            label={RULE_NAMES[rule]}
            value={filter.rules[rule] ?? ''}
            choices={[
              { value: '', label: ruleTexts.any },
              ...CHOICES[rule].map((value) => ({ value, label: ANSWERS[rule][value] ?? value })),
            ]}
            onChange={(value) =>
              onChange({
                rules: {
                  ...filter.rules,
                  [rule]: CHOICES[rule].find((answer) => answer === value),
                },
              })
            }
          />
        ))}
      </div>
      <Tags filter={filter} onChange={onChange} />
      <Lists filter={filter} onChange={onChange} />
      {active > 0 && (
        <div>
          <Button
            variant="subtle"
            size="compact-md"
            onClick={() =>
              onChange({
                verification: null,
                rules: {},
                withTags: [],
                withoutTags: [],
                withoutLists: [],
              })
            }
          >
            {texts.clear}
          </Button>
        </div>
      )}
    </>
  )
}

function Tags({ filter, onChange }: PickerFiltersProps) {
  const tags = useQuery(tagsQuery)
  return (
    <FieldGroup legend={texts.tags}>
      <Loading of={tags} failed={texts.tagsFailed} />
      {tags.data && (
        <p className={styles.quiet}>{tags.data.items.length > 0 ? texts.tagsHint : texts.noTags}</p>
      )}
      <div className={styles.chips}>
        {tags.data?.items.map(({ _id, name }) => {
          const isIn = filter.withTags.includes(_id)
          const isOut = filter.withoutTags.includes(_id)
          return (
            <button
              key={_id}
              type="button"
              className={styles.chip}
              data-out={isOut || undefined}
              aria-pressed={isIn ? true : isOut ? 'mixed' : false}
              aria-label={isIn ? texts.required(name) : isOut ? texts.excluded(name) : name}
              onClick={() => onChange(withTagTurned(filter, _id))}
            >
              {name}
            </button>
          )
        })}
      </div>
    </FieldGroup>
  )
}

function Lists({ filter, onChange }: PickerFiltersProps) {
  const lists = useQuery(listsQuery)
  const [viewing, setViewing] = useState(false)
  const needed = useLatch(viewing)
  const refresh = useFreshTracked()
  const close = () => {
    setViewing(false)
    // A list's “remove from search” changes the results, which wait below the dialog meanwhile.
    refresh()
  }
  return (
    <FieldGroup legend={texts.lists}>
      <Loading of={lists} failed={texts.listsFailed} />
      {lists.data?.items.length === 0 && <p className={styles.quiet}>{texts.noLists}</p>}
      <div className={styles.chips}>
        {lists.data?.items.map(({ _id, title }) => {
          const isOut = filter.withoutLists.includes(_id)
          const others = filter.withoutLists.filter((one) => one !== _id)
          return (
            <button
              key={_id}
              type="button"
              className={styles.chip}
              aria-pressed={isOut}
              onClick={() => onChange({ withoutLists: isOut ? others : [...others, _id] })}
            >
              {title}
            </button>
          )
        })}
        <Button variant="default" onClick={() => setViewing(true)}>
          {texts.viewLists}
        </Button>
      </div>
      {needed && <ListsDialog opened={viewing} onClose={close} />}
    </FieldGroup>
  )
}

type LoadingProps = {
  of: { isPending: boolean; data: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  failed: string
}

/** The placeholder for choices that aren’t loaded yet, or failed to load. */
function Loading({ of, failed }: LoadingProps) {
  if (of.data) return null
  if (of.isPending) return <SkeletonLines lines={1} />
  return (
    <div className={styles.failed} role="alert">
      <p>{failed}</p>
      <Button variant="default" size="sm" loading={of.isFetching} onClick={() => void of.refetch()}>
        {pickerTexts.tryAgain}
      </Button>
    </div>
  )
}
