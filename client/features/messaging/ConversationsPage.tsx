import { IconMessageCircle } from '@tabler/icons-react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import styles from './conversations/ConversationList.module.css'
import { useConversations } from './conversations/use-conversations.ts'
import { MessagesLayout } from './MessagesLayout.tsx'
import { conversationsTexts as texts } from './texts.ts'

/** Everybody whom one writes with (docs/product.md, Chat). */
export function Component() {
  const { list } = useConversations()
  return (
    <MessagesLayout showing="list">
      <PageTitle>{texts.title}</PageTitle>
      {/* An empty list says by itself why. */}
      {list.items.length > 0 && (
        <div className={styles.nothingOpen}>
          <EmptyState Icon={IconMessageCircle} title={texts.choose}>
            {texts.chooseHint}
          </EmptyState>
        </div>
      )}
    </MessagesLayout>
  )
}
