import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { ConversationList } from './conversations/ConversationList.tsx'
import styles from './MessagesLayout.module.css'

type MessagesLayoutProps = {
  /** Which of the two a phone shows; a desk has both beside each other. */
  showing: 'list' | 'conversation'
  /** The other person of the open conversation. */
  openWith?: string
  children: ReactNode
}

/** The conversations, and beside them the one that is open; together they fill the window. */
export function MessagesLayout({ showing, openWith, children }: MessagesLayoutProps) {
  useFilledWindow(showing)
  useVisibleHeight()
  return (
    <div className={styles.layout}>
      <div className={styles.list}>
        <ConversationList openWith={openWith} titled={showing === 'list'} />
      </div>
      <div className={styles.open}>{children}</div>
    </div>
  )
}

/**
 * Says at the document what fills the window, by which bars and the page's end give way. Styles that looked for it
 * themselves would work out the whole page anew at every letter that is typed.
 */
function useFilledWindow(showing: MessagesLayoutProps['showing']): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.fillsWindow = showing
    return () => {
      delete dataset.fillsWindow
    }
  }, [showing])
}

/** Keeps the page as high as what a phone's keyboard leaves: not every browser makes the page smaller for it. */
function useVisibleHeight(): void {
  useEffect(() => {
    const { visualViewport: visible } = window
    if (!visible) return
    const root = document.documentElement
    const fit = () => {
      const covered = innerHeight - visible.height > 80 && visible.scale === 1
      if (!covered) return root.style.removeProperty('--visible-height')
      root.style.setProperty('--visible-height', `${visible.height}px`)
      scrollTo(0, 0)
    }
    visible.addEventListener('resize', fit)
    // Safari pushes the page up for the keyboard, also without another size.
    visible.addEventListener('scroll', fit)
    return () => {
      visible.removeEventListener('resize', fit)
      visible.removeEventListener('scroll', fit)
      root.style.removeProperty('--visible-height')
    }
  }, [])
}
