import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { MultiSelect } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { MAX_TAGS_PER_ITEM } from '../../../../contract/constants.ts'
import { errorMessage } from '../../../lib/api.ts'
import styles from './TagSelect.module.css'
import { tagTexts } from './texts.ts'
import { TAG_NAME_LENGTH, type Tag, useAddTag, useTags, useTagsOf } from './use-tags.ts'

type TagSelectProps = {
  label: string
  /** Ids of the tags. */
  value: readonly string[]
  onChange: (tagIds: string[]) => void
  description?: string
  placeholder?: string
  error?: string | undefined
  /** How many can be chosen. */
  max?: number
  /** A name that nobody gave yet can be added; for creators only. */
  creatable?: boolean
  disabled?: boolean
}

/** The value of the option that adds a new tag; never the id of one. */
const CREATE = 'create'

/** Some tags, found by typing part of their name. */
export function TagSelect({
  value,
  onChange,
  error,
  placeholder = tagTexts.find,
  max = MAX_TAGS_PER_ITEM,
  creatable = false,
  ...field
}: TagSelectProps) {
  const [search, setSearch] = useState('')
  const found = useTags(search)
  const add = useAddTag()
  const names = useNames(value, add.data ? [...found.tags, add.data] : found.tags)
  const typed = search.trim().replace(/\s+/g, ' ')
  const isNew =
    creatable &&
    !found.isStale &&
    typed !== '' &&
    typed.length <= TAG_NAME_LENGTH &&
    !found.tags.some(({ name }) => name.toLowerCase() === typed.toLowerCase())
  const full = value.length >= max
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })

  const change = (next: string[]) => {
    onChange(next.filter((one) => one !== CREATE))
    if (!next.includes(CREATE)) return
    add.mutate(typed, {
      onSuccess: ({ _id }) => onChange([...latest.current.filter((one) => one !== _id), _id]),
    })
  }
  return (
    <MultiSelect
      {...field}
      size="md"
      classNames={{ pill: styles.pill ?? '' }}
      data={[
        ...value.map((id) => ({ value: id, label: names.get(id) ?? '…' })),
        ...(full ? [] : found.tags)
          .filter(({ _id }) => !value.includes(_id))
          .map(({ _id, name }) => ({ value: _id, label: name })),
        ...(isNew && !full ? [{ value: CREATE, label: tagTexts.create(typed) }] : []),
      ]}
      value={[...value]}
      onChange={change}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already.
      filter={({ options }) => options}
      hidePickedOptions
      maxValues={max}
      // Above a phone’s keyboard.
      maxDropdownHeight="min(260px, 40dvh)"
      nothingFoundMessage={hintOf({ ...found, full, max })}
      clearable
      clearButtonProps={{ 'aria-label': tagTexts.removeAll }}
      placeholder={value.length === 0 ? placeholder : ''}
      error={error ?? (add.isError ? errorMessage(add.error) : null)}
      loading={add.isPending}
    />
  )
}

/** The names of these tags: as they were found by searching, and else asked for. */
function useNames(ids: readonly string[], found: readonly Tag[]): ReadonlyMap<string, string> {
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map())
  const asked = useTagsOf(ids.filter((id) => !seen.has(id)))
  const others = [...found, ...asked].filter(({ _id }) => !seen.has(_id))
  if (others.length > 0) setSeen(new Map([...seen, ...others.map(({ _id, name }) => [_id, name] as const)]))
  return seen
}

type Hint = { isStale: boolean; error: Error | null; full: boolean; max: number }

function hintOf({ isStale, error, full, max }: Hint): string {
  if (full) return tagTexts.full(max)
  if (error) return errorMessage(error)
  return isStale ? tagTexts.searching : tagTexts.none
}
