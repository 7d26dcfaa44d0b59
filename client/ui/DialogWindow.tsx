import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './DialogWindow.module.css'
import { dialogTexts } from './texts.ts'
import { MantineScope } from './theme/MantineScope.tsx'

export type DialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** False while something is under way that closing would leave behind. */
  closable?: boolean
}

/** The window itself, in a chunk of its own: Dialog.tsx loads it when it is needed. */
export default function DialogWindow({ opened, onClose, title, children, closable = true }: DialogProps) {
  return (
    <MantineScope>
      <Modal.Root
        opened={opened}
        onClose={onClose}
        centered
        closeOnClickOutside={closable}
        closeOnEscape={closable}
        classNames={{ inner: styles.inner ?? '', content: styles.content ?? '', body: styles.body ?? '' }}
      >
        <Modal.Overlay backgroundOpacity={0.6} color="#0c0908" />
        <Modal.Content>
          <div className={styles.header}>
            <Modal.Title className={styles.title ?? ''}>{title}</Modal.Title>
            {closable && <Modal.CloseButton size="lg" aria-label={dialogTexts.close} />}
          </div>
          <Modal.Body>{children}</Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </MantineScope>
  )
}
