"""The screens of more devices, by the names that Playwright has for them.

Sizes are those of the whole screen in CSS pixels, upright: facts of the makers. A line is
``name: width x height @ pixels per CSS pixel``.
"""

from __future__ import annotations

APPLES = """
iPad (gen 5): 768 x 1024 @ 2
iPad (gen 6): 768 x 1024 @ 2
iPad (gen 7): 810 x 1080 @ 2
iPad (gen 11): 820 x 1180 @ 2
iPad Pro 11: 834 x 1194 @ 2
iPhone 6: 375 x 667 @ 2
iPhone 6 Plus: 414 x 736 @ 3
iPhone 7: 375 x 667 @ 2
iPhone 7 Plus: 414 x 736 @ 3
iPhone 8: 375 x 667 @ 2
iPhone 8 Plus: 414 x 736 @ 3
iPhone SE (3rd gen): 375 x 667 @ 2
iPhone X: 375 x 812 @ 3
iPhone XR: 414 x 896 @ 2
iPhone 11: 414 x 896 @ 2
iPhone 11 Pro: 375 x 812 @ 3
iPhone 11 Pro Max: 414 x 896 @ 3
iPhone 12 Pro: 390 x 844 @ 3
iPhone 12 Pro Max: 428 x 926 @ 3
iPhone 12 Mini: 375 x 812 @ 3
iPhone 13 Pro: 390 x 844 @ 3
iPhone 13 Pro Max: 428 x 926 @ 3
iPhone 13 Mini: 375 x 812 @ 3
iPhone 14 Plus: 428 x 926 @ 3
iPhone 14 Pro: 393 x 852 @ 3
iPhone 15 Plus: 430 x 932 @ 3
iPhone 15 Pro: 393 x 852 @ 3
iPhone 16: 393 x 852 @ 3
iPhone 16 Plus: 430 x 932 @ 3
iPhone 16 Pro: 402 x 874 @ 3
iPhone 16 Pro Max: 440 x 956 @ 3
iPhone 16e: 390 x 844 @ 3
iPhone 17: 402 x 874 @ 3
iPhone Air: 420 x 912 @ 3
iPhone 17 Pro: 402 x 874 @ 3
iPhone 17 Pro Max: 440 x 956 @ 3
iPhone 17e: 390 x 844 @ 3
"""
ANDROIDS = """
BlackBerry Z30: 360 x 640 @ 2
Galaxy Note 3: 360 x 640 @ 3
Galaxy Note II: 360 x 640 @ 2
Galaxy S III: 360 x 640 @ 2
Galaxy S5: 360 x 640 @ 3
Galaxy S8: 360 x 740 @ 3
Galaxy A55: 480 x 1040 @ 2.25
Galaxy Z Fold 6: 928 x 1080 @ 2
Galaxy Z Fold 6 Cover: 484 x 1188 @ 2
Galaxy Z Fold 7: 984 x 1092 @ 2
Galaxy Z Fold 7 Cover: 360 x 840 @ 3
Galaxy Z Flip 6: 360 x 880 @ 3
Galaxy Z Flip 6 Cover: 360 x 374 @ 2
Galaxy Z Flip 7: 360 x 840 @ 3
Galaxy Z Flip 7 Cover: 474 x 524 @ 2
LG Optimus L70: 384 x 640 @ 1.25
Microsoft Lumia 550: 360 x 640 @ 2
Microsoft Lumia 950: 360 x 640 @ 4
Nexus 4: 384 x 640 @ 2
Nexus 5: 360 x 640 @ 3
Nexus 5X: 412 x 732 @ 2.625
Nexus 6: 412 x 732 @ 3.5
Nexus 6P: 412 x 732 @ 3.5
Nokia Lumia 520: 320 x 533 @ 1.5
Nokia N9: 480 x 854 @ 1
Pixel 2: 411 x 731 @ 2.625
Pixel 2 XL: 411 x 823 @ 3.5
Pixel 3: 393 x 786 @ 2.75
Pixel 4: 393 x 830 @ 2.75
Pixel 4a (5G): 412 x 892 @ 2.625
Pixel 6: 412 x 915 @ 2.625
Pixel 6 Pro: 412 x 892 @ 3.5
Pixel 6a: 412 x 915 @ 2.625
Pixel 7 Pro: 412 x 892 @ 3.5
Pixel 7a: 412 x 915 @ 2.625
Pixel 8: 412 x 915 @ 2.625
Pixel 8 Pro: 448 x 997 @ 3
Pixel 8a: 412 x 915 @ 2.625
Pixel 9 Pro: 427 x 952 @ 3
Pixel 9 Pro XL: 448 x 997 @ 3
Pixel 10: 360 x 808 @ 3
Pixel 10 Pro: 427 x 952 @ 3
Pixel 10 Pro XL: 448 x 997 @ 3
Moto G4: 360 x 640 @ 3
"""
TABLETS = """
Blackberry PlayBook: 600 x 1024 @ 1
Galaxy Tab S4: 712 x 1138 @ 2.25
Kindle Fire HDX: 800 x 1280 @ 2
Nexus 10: 800 x 1280 @ 2
Nexus 7: 600 x 960 @ 2
"""
DESKTOPS = """
Desktop Chrome HiDPI: 1280 x 720 @ 2
Desktop Edge HiDPI: 1280 x 720 @ 2
Desktop Firefox HiDPI: 1280 x 720 @ 2
Desktop Safari: 1280 x 720 @ 2
Desktop Chrome: 1280 x 720 @ 1
Desktop Edge: 1280 x 720 @ 1
Desktop Firefox: 1280 x 720 @ 1
"""
