"""Django's admin of users and groups, on a new database in the current folder.

Its port is the argument.
"""

from __future__ import annotations

import sys

import django
from django.conf import settings
from django.core.management import call_command

settings.configure(
    DEBUG=True,
    SECRET_KEY="a key of the tests",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    STATIC_URL="/static/",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "trial.sqlite3"}},
    INSTALLED_APPS=[
        f"django.contrib.{one}"
        for one in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
)
django.setup()

from django.contrib import admin  # noqa: E402 - it needs the settings
from django.contrib.auth.admin import UserAdmin  # noqa: E402
from django.contrib.auth.models import Group, User  # noqa: E402
from django.urls import path  # noqa: E402


class Users(UserAdmin):  # type: ignore[type-arg]
    """Users; their groups are chosen with select2."""

    autocomplete_fields = ("groups",)
    filter_horizontal = ("user_permissions",)


admin.site.unregister(User)
admin.site.register(User, Users)
urlpatterns = [path("admin/", admin.site.urls)]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    User.objects.create_superuser("ann", password="secret")
    User.objects.create_user("bob")
    for name in ("Editors", "Readers", "Writers"):
        Group.objects.create(name=name)
    call_command("runserver", f"127.0.0.1:{sys.argv[1]}", use_reloader=False)
