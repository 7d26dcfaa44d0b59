import { useSearchParams } from 'react-router'
import { useCurrentUser } from '../../../lib/session.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { type ConversationsFilter, conversationsQuery } from '../api.ts'
import { conversationsTexts as texts } from '../texts.ts'

const SHOWING = [
  { value: 'all', label: texts.all },
  { value: 'unread', label: texts.unread },
] as const
const CREATORS_SHOWING = [...SHOWING, { value: 'spenders', label: texts.spenders }] as const

type Showing = ConversationsFilter['showing']

/** The conversations that the address narrows the list to, and what it can be narrowed to. */
export function useConversations() {
  const person = useCurrentUser()
  const [parameters] = useSearchParams()
  const filter = parameters.get('name') ?? ''
  const choices: readonly { value: Showing; label: string }[] = person.isCreator ? CREATORS_SHOWING : SHOWING
  const showing = choices.find(({ value }) => value === parameters.get('show'))?.value ?? 'all'
  const list = useList(conversationsQuery({ filter, showing }))
  return { filter, choices, showing, list }
}
