import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { MAX_SEARCH } from './filter.ts'
import styles from './picker.module.css'
import { pickerTexts as texts } from './texts.ts'

type ForumSearchProps = { forum: string; search: string; onSearch: (search: string) => void }

/** Searches the forum when it is asked to, not at every pause: each search counts toward the forum’s limit. */
export function ForumSearch({ forum, search, onSearch }: ForumSearchProps) {
  const [typed, setTyped] = useState(search)
  const [shown, setShown] = useState(search)
  // Going back brings an earlier search.
  if (search !== shown) {
    setShown(search)
    setTyped(search)
  }
  return (
    <Form className={styles.forumSearch} onSubmit={() => onSearch(typed.trim())}>
      <TextInput
        className={styles.forumField}
        label={texts.searchForum(forum)}
        placeholder={texts.searchForumHint}
        type="search"
        enterKeyHint="search"
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        maxLength={MAX_SEARCH}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {texts.search}
      </Button>
    </Form>
  )
}
