"""A small application with QtWebEngine: ``python qt_application.py URL [--opens-windows]``.

Without ``--opens-windows``, it refuses the windows that pages open, as QWebEngineView does. With
it, such a window closes when its page asks for that.
"""

import sys

from PySide6.QtCore import QUrl  # type: ignore[import-not-found]
from PySide6.QtWebEngineWidgets import QWebEngineView  # type: ignore[import-not-found]
from PySide6.QtWidgets import QApplication  # type: ignore[import-not-found]


class View(QWebEngineView):  # type: ignore[misc]
    windows: list["View"] = []  # noqa: RUF012

    def createWindow(self, kind: object) -> "View | None":  # noqa: N802
        _ = kind
        if "--opens-windows" not in sys.argv:
            return None
        window = View()
        window.page().windowCloseRequested.connect(window.deleteLater)
        window.show()
        self.windows.append(window)
        return window


application = QApplication(sys.argv)
view = View()
view.resize(800, 600)
view.load(QUrl(sys.argv[1]))
view.show()
sys.exit(application.exec())
